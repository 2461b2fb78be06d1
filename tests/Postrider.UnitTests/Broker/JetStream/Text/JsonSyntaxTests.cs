using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Text;

namespace Postrider.UnitTests.Broker.JetStream.Text;

public sealed class JsonSyntaxTests
{
    [Theory]
    [InlineData("{", "unexpected end of JSON input")]
    [InlineData("{\"a\":1", "unexpected end of JSON input")]
    [InlineData("{\"a\":1}}", "invalid character '}' after top-level value")]
    [InlineData("{\"a\":1} x", "invalid character 'x' after top-level value")]
    [InlineData("{\"a\":1,}", "invalid character '}' looking for beginning of object key string")]
    [InlineData("{\"a\" 1}", "invalid character '1' after object key")]
    [InlineData("{\"a\":01}", "invalid character '1' after object key:value pair")]
    [InlineData("[1 2]", "invalid character '2' after array element")]
    [InlineData("{\"a\":trze}", "invalid character 'z' in literal true (expecting 'u')")]
    [InlineData("\"\\x\"", "invalid character 'x' in string escape code")]
    [InlineData("\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape")]
    [InlineData("-x", "invalid character 'x' in numeric literal")]
    [InlineData("1.x", "invalid character 'x' after decimal point in numeric literal")]
    [InlineData("1ex", "invalid character 'x' in exponent of numeric literal")]
    [InlineData("'", "invalid character '\\'' looking for beginning of value")]
    public void Mistakes_are_named_as_Go_names_them(string json, string expected)
        => Assert.Equal(expected, JsonSyntax.FirstProblem(Encoding.UTF8.GetBytes(json)));

    [Fact]
    public void What_is_nested_too_deep_is_a_mistake_and_no_end_of_the_process()
        => Assert.Equal("exceeded max depth", JsonSyntax.FirstProblem(Encoding.UTF8.GetBytes(new string('[', 100_000))));

    [Fact]
    public void Random_texts_are_right_where_the_reader_takes_them()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (var round = 0; round < 20_000; round++)
        {
            var json = new string(random.GetItems("{}[]:,\"\\u0d1e-+.tfn al\u00e9".AsSpan(), random.Next(1, 12)));
            var bytes = Encoding.UTF8.GetBytes(json);

            Assert.True(IsTaken(bytes) == (JsonSyntax.FirstProblem(bytes) is null), $"seed {seed}: {json}");
        }
    }

    [Theory]
    [InlineData("{\"a\":\"\\ud800\"}", "{\"a\":\"\\ufffd\"}")]
    [InlineData("{\"a\":\"\\udc00\\ud83d\\ude00\"}", "{\"a\":\"\\ufffd\\ud83d\\ude00\"}")]
    [InlineData("{\"\\ud800\\ud800\":1}", "{\"\\ufffd\\ufffd\":1}")]
    [InlineData("{\"a\":\"\\\\ud800\"}", "{\"a\":\"\\\\ud800\"}")]
    public void Surrogates_on_their_own_become_the_replacement_character(string json, string expected)
    {
        var bytes = Encoding.UTF8.GetBytes(json);

        Assert.Equal(json == expected, RequestText.IsUnicode(bytes));
        Assert.Equal(expected, Encoding.UTF8.GetString(RequestText.ToUnicode(bytes)));
    }

    [Fact]
    public void Bytes_that_are_no_text_become_one_replacement_character_each()
        => Assert.Equal("\"\uFFFD\uFFFDa\"", Encoding.UTF8.GetString(RequestText.ToUnicode([(byte)'"', 0xFF, 0xFE, (byte)'a', (byte)'"'])));

    private static bool IsTaken(byte[] json)
    {
        try
        {
            var reader = new Utf8JsonReader(json);
            while (reader.Read()) reader.Skip();
            return true;
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
