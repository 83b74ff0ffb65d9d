// METEOR's own tokens and stems, for comparison: java -cp meteor-1.5.jar MeteorText.java tokens|stems LANG PUNCTUATION LOWER
// Reads and writes one text per line; characters beyond ASCII, control characters and backslashes are written \\uXXXX.
import edu.cmu.meteor.aligner.Stemmer;
import edu.cmu.meteor.util.Constants;
import edu.cmu.meteor.util.Normalizer;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.StringTokenizer;

public class MeteorText {
  public static void main(String[] arguments) throws Exception {
    String lang = Constants.normLanguageName(arguments[1]);
    boolean stems = arguments[0].equals("stems");
    boolean punctuation = Boolean.parseBoolean(arguments[2]);
    boolean lower = Boolean.parseBoolean(arguments[3]);
    int id = Constants.getLanguageID(lang);
    Stemmer stemmer = stems ? Constants.newStemmer(lang) : null;
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "US-ASCII");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String text = decode(line);
      if (stems) {
        out.print(encode(stemmer.stem(text)));
      } else {
        String tokens = Normalizer.normalizeLine(text, id, punctuation);
        StringTokenizer words = new StringTokenizer(lower ? tokens.toLowerCase() : tokens);
        while (words.hasMoreTokens()) {
          out.print(encode(words.nextToken()));
          if (words.hasMoreTokens()) out.print(' ');
        }
      }
      out.print('\n');
    }
    out.flush();
  }

  private static String decode(String line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); ++i) {
      if (line.charAt(i) == '\\') {
        text.append((char) Integer.parseInt(line.substring(i + 2, i + 6), 16));
        i += 5;
      } else {
        text.append(line.charAt(i));
      }
    }
    return text.toString();
  }

  private static String encode(String text) {
    StringBuilder line = new StringBuilder();
    for (char c : text.toCharArray()) {
      boolean plain = c >= ' ' && c < 0x7F && c != '\\';
      line.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return line.toString();
  }
}
