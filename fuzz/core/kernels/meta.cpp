// Agreement and resampling against counting pair by pair and adding row by row.
#include "fuzzing.hpp"
#include "meta/agreement.hpp"
#include "meta/resampling.hpp"

namespace metaphrase::meta {
namespace {

using fuzz::expect;

void check_agreement(fuzz::Bytes& bytes) {
  const auto count = static_cast<std::size_t>(bytes.number(0, 40));
  std::vector<double> metric(count), human(count);
  const bool coarse = bytes.flag();
  for (auto* scores : {&metric, &human}) {
    for (double& score : *scores) score = coarse ? bytes.number(-2, 2) : bytes.number(0, 65'535) * 1e-3;
  }
  const double epsilon = bytes.number(0, 3);
  std::int64_t concordant = 0, discordant = 0, metric_ties = 0, human_ties = 0, right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const int a = order_of(metric[i], metric[j], 0), b = order_of(human[i], human[j], 0);
      concordant += a * b > 0;
      discordant += a * b < 0;
      metric_ties += a == 0;
      human_ties += b == 0;
      right += order_of(metric[i], metric[j], epsilon) == b;
    }
  }
  const auto all = static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
  for (const auto kind : {Agreement::pearson, Agreement::spearman, Agreement::kendall, Agreement::accuracy}) {
    AgreementMeter meter(kind, epsilon);
    const double value = meter.measure(metric.data(), human.data(), count);
    expect(std::isnan(value) || (value >= -1 && value <= 1), "a coefficient is at most 1");
    const double swapped = AgreementMeter(kind, 0).measure(human.data(), metric.data(), count);
    if (kind != Agreement::accuracy) expect(std::isnan(value) == std::isnan(swapped), "sides may be swapped");
    if (count < 2) continue;
    if (kind == Agreement::accuracy)
      expect(fuzz::close(value, static_cast<double>(right) / all), "right pairs");
    if (kind == Agreement::kendall && !std::isnan(value)) {
      const double expected =
          static_cast<double>(concordant - discordant) /
          std::sqrt((all - static_cast<double>(metric_ties)) * (all - static_cast<double>(human_ties)));
      expect(fuzz::close(value, expected), "Kendall's pairs");
    }
    const double itself = meter.measure(metric.data(), metric.data(), count);
    if (kind != Agreement::accuracy)
      expect(std::isnan(itself) || fuzz::close(itself, 1), "scores agree with themselves");
  }
}

void check_resampling(fuzz::Bytes& bytes) {
  const auto rows = static_cast<std::size_t>(bytes.number(1, 6)),
             columns = static_cast<std::size_t>(bytes.number(0, 9)),
             resamples = static_cast<std::size_t>(bytes.number(0, 20)),
             size = static_cast<std::size_t>(bytes.number(0, 8));
  std::vector<double> statistics(rows * columns), other(rows * columns);
  for (double& value : statistics) value = bytes.number(-100, 100);
  for (double& value : other) value = bytes.number(-100, 100);
  std::vector<std::int64_t> draws(resamples * size);
  for (auto& draw : draws) draw = bytes.number(0, static_cast<int>(rows) - 1);
  const auto stay = std::make_unique<bool[]>(resamples * rows + 1);
  for (std::size_t i = 0; i < resamples * rows; ++i) stay[i] = bytes.flag();
  const StatisticPanels first(statistics.data(), rows, columns), second(other.data(), rows, columns);
  std::vector<double> sums(resamples * columns), one(resamples * columns), two(resamples * columns);
  bootstrap_sums(first, draws.data(), resamples, size, sums.data(), 1);
  exchanged_sums(first, second, stay.get(), resamples, one.data(), two.data(), 1);
  for (std::size_t b = 0; b < resamples; ++b) {
    for (std::size_t c = 0; c < columns; ++c) {
      double drawn = 0, kept = 0, given = 0;
      for (std::size_t i = 0; i < size; ++i)
        drawn += statistics[static_cast<std::size_t>(draws[b * size + i]) * columns + c];
      for (std::size_t i = 0; i < rows; ++i) {
        kept += (stay[b * rows + i] ? statistics : other)[i * columns + c];
        given += (stay[b * rows + i] ? other : statistics)[i * columns + c];
      }
      expect(sums[b * columns + c] == drawn, "what is drawn is added");
      expect(one[b * columns + c] == kept && two[b * columns + c] == given, "segments are exchanged");
    }
  }
}

}  // namespace
}  // namespace metaphrase::meta

int examine(const std::uint8_t* data, std::size_t size) {
  metaphrase::fuzz::Bytes bytes(data, size);
  if (bytes.flag()) {
    metaphrase::meta::check_agreement(bytes);
  } else {
    metaphrase::meta::check_resampling(bytes);
  }
  return 0;
}
