using System.Text;
using Postrider.Broker.Configuration;

namespace Postrider.UnitTests.Broker.Configuration;

public sealed class ConfigParserTests
{
    private const string Everything = """
        # a comment
        // another
        listen: 127.0.0.1:4222   // at the end of a line
        port = 4222
        http 8222
        name: "double \"quoted\" \t\x41"
        path: 'single \ quoted'
        bare: some/path.txt
        sizes: [1, 2k, 3kb, 4KiB
          5m 
          6Mb, 7G, 8GB ]
        negative: -5
        float: 2.5
        on_words: [on, yes, true, off, no, FALSE]
        when: 2016-05-04T18:53:41Z
        duration: 30s
        block: (
        first line
          second )
        )
        "quoted key": { a: 1, b: 2; c: 3 }
        nested {
          PASSWORD: "scoped"
          users = [ {user: a, pass: "b"} 
                    {user: c, pass: $PASSWORD} ]
          deep { again: $PASSWORD }
        }
        hash: $2a$11$W2zko751KUvVy59mUTWmpOdWjpEm5qhcCZRd05GjI/sSOT.xtiHyG
        from_env: $FROM_ENV
        include "more.conf"
        { inside_braces: true }
        """;

    public static TheoryData<string, string> Good => new()
    {
        { "", "{}" },
        { "# only a comment", "{}" },
        { "a: 1", "{a=1}" },
        { "a = 1", "{a=1}" },
        { "a 1", "{a=1}" },
        { "a=1;b=2,c=3", "{a=1,b=2,c=3}" },
        { "a: 1\n\n\r\nb: 2\r\n", "{a=1,b=2}" },
        { "a\n{ b: 1 }", "{a={b=1}}" },
        { "a { b 1 }", "{a={b=1}}" },
        { "a {b: 1}", "{a={b=1}}" },
        { "a: {b:\n 1}", "{a={b=1}}" },
        { "a: {}", "{a={}}" },
        { "a: []", "{a=[]}" },
        { "a: [ 1\n 2, 3,\n]", "{a=[1,2,3]}" },
        { "a: [ {b:1}\n {b:2} ]", "{a=[{b=1},{b=2}]}" },
        { "a: [[1], [2]]", "{a=[[1],[2]]}" },
        { "a: 'x' # c\nb: \"y\" // c", "{a='x',b='y'}" },
        { "a: http://host:1/x", "{a='http://host:1/x'}" },
        { "a: x#y", "{a='x#y'}" },
        { "a: \"x y\"", "{a='x y'}" },
        { "a: ''", "{a=''}" },
        { "a: 1kb, b: 1KiB, c: 1k, d: 1Gb", "{a=1024,b=1024,c=1000,d=1073741824}" },
        { "a: 1e, b: 2p, c: 3t", "{a=1000000000000000000,b=2000000000000000,c=3000000000000}" },
        { "a: 1kx", "{a='1kx'}" },
        { "a: 10s, b: 1h30m, c: 100ms", "{a='10s',b='1h30m',c='100ms'}" },
        { "a: 2m", "{a=2000000}" },
        { "a: -1, b: -1.5, c: 0.25", "{a=-1,b=-1.5,c=0.25}" },
        { "a: 127.0.0.1, b: 127.0.0.1:-1, c: 1.2.3", "{a='127.0.0.1',b='127.0.0.1:-1',c='1.2.3'}" },
        { "a: 2016-05-04T18:53:41Z", "{a=2016-05-04T18:53:41Z}" },
        { "a: TRUE, b: Off", "{a=true,b=false}" },
        { "a: truely", "{a='truely'}" },
        { "a: x\\ty", "{a='x\ty'}" },
        { "a: \\x24x", "{a='$x'}" },
        { "a: 1\na: 2", "{a=2}" },
        { "X: 5\na: $X", "{X=5,a=5}" },
        { "X: 5\na { X: 6, b: $X }\nc: $X", "{X=5,a={X=6,b=6},c=5}" },
        { "a: [ $X ]", "{a=['from env']}" },
        { "a: $2a$04$abc, b: $2b$04$abc", "{a='$2a$04$abc',b='$2b$04$abc'}" },
        { "a: (\n x { } # \n)\nb: 1", "{a='\n x { } # \n',b=1}" },
        { "{\"a\": 1, \"b\": [true, null], \"c\": {\"d\": \"e\"}}", "{a=1,b=[true,'null'],c={d='e'}}" },
        { "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n", "{a=1,b={c=2}}" },
        { "{\"a\":1\n,\"b\":2}", "{a=1,b=2}" },
        { "include other.conf", "{other='included'}" },
        { "INCLUDE 'other.conf' # c\na: 1", "{other='included',a=1}" },
        { "a { include \"other.conf\" ; b: 1 }", "{a={other='included',b=1}}" },
        { "include: 1", "{include=1}" },
        { "'a b': 1, \"c\"=2", "{a b=1,c=2}" },
    };

    public static TheoryData<string, string> Bad => new()
    {
        { "a:\n", "x.conf:1:3: Expected value but found new line" },
        { "a", "x.conf:1:2: Unexpected EOF, expected a value." },
        { "a:", "x.conf:1:3: Unexpected EOF, expected a value." },
        { ": 1", "x.conf:1:1: Unexpected key separator ':'" },
        { "\n  = 1", "x.conf:2:3: Unexpected key separator '='" },
        { "a: 1 b", "x.conf:1:6: Expected a top-level value to end with a new line, comment or EOF, but got 'b' instead." },
        { "a: {b: 1 c: 2}", "x.conf:1:10: Expected a map value terminator ',' or a map terminator '}', but got 'c' instead." },
        { "a: [1 2]", "x.conf:1:7: Expected an array value terminator ',' or an array terminator ']', but got '2' instead." },
        { "a: [,]", "x.conf:1:5: Unexpected array value terminator ','." },
        { "a: [1,,2]", "x.conf:1:7: Unexpected array value terminator ','." },
        { "a: [1", "x.conf:1:6: Unexpected EOF processing array." },
        { "a: {b: 1", "x.conf:1:9: Unexpected EOF processing map." },
        { "a: {", "x.conf:1:5: Unexpected EOF processing map." },
        { "a: {b", "x.conf:1:6: Unexpected EOF processing map." },
        { "a: {]", "x.conf:1:5: Unexpected array end ']' processing map." },
        { "a: {{", "x.conf:1:5: Expected a key but found start of a map" },
        { "a: {b: }", "x.conf:1:8: Expected value but found '}'" },
        { "a: {b: ,}", "x.conf:1:8: Expected value but found ','" },
        { "}", "x.conf:1:1: Unexpected map end '}'." },
        { "a: \"x", "x.conf:1:6: Unexpected EOF." },
        { "a: 'x", "x.conf:1:6: Unexpected EOF." },
        { "\"a", "x.conf:1:3: Unexpected EOF processing quoted map key." },
        { "a: \"\\q\"", "x.conf:1:7: Invalid escape character 'q'. Only the following escape characters are allowed: \\xXX, \\t, \\n, \\r, \\\", \\\\." },
        { "a: \"\\xZZ\"", "x.conf:1:7: Expected two hexadecimal digits after '\\x', but got 'ZZ'" },
        { "a: \"\\x\n\"", "x.conf:1:7: Expected two hexadecimal digits after '\\x', but hit end of line" },
        { "a: .5", "x.conf:1:4: Floats must start with a digit" },
        { "a: 5.", "x.conf:1:4: Floats must have a digit after the '.', but got '' instead." },
        { "a: -x", "x.conf:1:4: Expected a digit but got 'x'." },
        { "a: -.5", "x.conf:1:4: Floats must start with a digit, not '.'." },
        { "a: 9223372036854775808", "x.conf:1:4: integer '9223372036854775808' is out of the range" },
        { "a: 99e", "x.conf:1:4: integer '99e' is out of the range" },
        { "a: $NOT_SET", "x.conf:1:4: variable reference for 'NOT_SET' can not be found" },
        { "a: $LOOP", "x.conf:1:4: variable reference for 'LOOP' could not be parsed: x.conf:1:7: variable reference cycle for 'LOOP'" },
        { "a: $BROKEN", "x.conf:1:4: variable reference for 'BROKEN' could not be parsed: x.conf:1:8: Unexpected EOF processing array." },
        { "a: (\nx", "x.conf:2:2: Unexpected EOF processing block." },
        { "include [x]", "x.conf:1:9: Expected include value but found start of an array" },
        { "include {x}", "x.conf:1:9: Expected include value but found start of a map" },
        { "include 5", "x.conf:1:9: Expected include value but found start of a number" },
        { "include 'x", "x.conf:1:11: Unexpected EOF in quoted include" },
        { "include \n", "x.conf:1:9: Expected include value but found new line" },
        { "include missing.conf", "x.conf:1:1: error parsing include file 'missing.conf', open missing.conf: no such file or directory" },
        { "include x.conf", "x.conf:1:1: error parsing include file 'x.conf', it includes itself" },
        { "a: 1\ninclude bad.conf", "bad.conf:2:3: Expected value but found new line" },
        { "a: " + new string('[', 65), "x.conf:1:68: Values are nested deeper than 64." },
    };

    [Theory]
    [MemberData(nameof(Good))]
    public void Good_file_is_read(string text, string expected)
        => Assert.Equal(expected, Show(Parse(text)));

    [Theory]
    [MemberData(nameof(Bad))]
    public void Bad_file_is_refused_with_place_and_reason(string text, string expected)
        => Assert.Equal(expected, Assert.Throws<ConfigSyntaxException>(() => Parse(text)).Message);

    [Fact]
    public void Value_of_a_key_stands_at_its_key()
    {
        var map = Parse("a: 1\n  b {\n\tc: [ 1 ]\n}");

        var b = map["b"];
        Assert.Equal((2, 3), (b.Position.Line, b.Position.Column));
        Assert.Equal((3, 2), (((ConfigMap)b.Content)["c"].Position.Line, ((ConfigMap)b.Content)["c"].Position.Column));
    }

    [Fact]
    public void Referenced_value_is_marked_and_others_are_not()
    {
        var map = Parse("a: 1\nb: 2\nc: $a");

        Assert.True(map["a"].IsReferenced);
        Assert.False(map["b"].IsReferenced);
    }

    [Fact]
    public void File_cut_at_any_character_is_read_or_refused_but_never_breaks()
    {
        var refused = 0;
        for (var cut = 0; cut <= Everything.Length; cut++)
            refused += TryParse(Everything[..cut]) is null ? 1 : 0;

        Assert.NotNull(TryParse(Everything));
        Assert.InRange(refused, 100, Everything.Length);
    }

    [Fact]
    public void Random_text_is_read_or_refused_but_never_breaks()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        string[] pieces = ["a", "port", ":", "=", " ", "\n", "{", "}", "[", "]", ",", ";", "\"", "'", "(", ")", "\\", "\\x4", "$X", "$2a$", "#", "//", "include ", "1", "-", ".", "5k", "on", "é", "\0", "\u2028"];
        for (var i = 0; i < 20_000; i++)
        {
            var text = new StringBuilder();
            for (var length = random.Next(1, 25); length > 0; length--)
                text.Append(pieces[random.Next(pieces.Length)]);
            _ = TryParse(text.ToString());
        }
    }

    private static ConfigMap? TryParse(string text)
    {
        try
        {
            return Parse(text);
        }
        catch (ConfigSyntaxException)
        {
            return null;
        }
    }

    private static ConfigMap Parse(string text)
    {
        var source = new MemoryConfigSource
        {
            Files =
            {
                ["x.conf"] = text,
                ["other.conf"] = "other: included",
                ["more.conf"] = "more: [1, 2]",
                ["bad.conf"] = "\nb:\n",
            },
            Environment = { ["X"] = "'from env'", ["LOOP"] = "$LOOP", ["BROKEN"] = "[", ["FROM_ENV"] = "5mb" },
        };
        return ConfigParser.ParseFile(source, "x.conf");
    }

    private static string Show(object content) => content switch
    {
        string text => $"'{text}'",
        bool boolean => boolean ? "true" : "false",
        DateTimeOffset date => date.ToString("yyyy-MM-ddTHH:mm:ssZ"),
        ConfigMap map => $"{{{string.Join(',', map.Select(entry => $"{entry.Key}={Show(entry.Value.Content)}"))}}}",
        List<ConfigValue> array => $"[{string.Join(',', array.Select(value => Show(value.Content)))}]",
        _ => content.ToString()!,
    };
}
