using Postrider.InteropTests.Harness;
using Postrider.MessagePack;

namespace Postrider.InteropTests.MessagePack;

/// <summary>Our bytes beside those of npm's implementation and of Python's in Debian, for the values of <c>node/msgpack-values.mjs</c> and
/// <c>python/msgpack-values.py</c>.</summary>
public sealed class MessagePackBytesTests
{
    private static readonly Dictionary<string, (Func<byte[]> Write, Func<byte[], object?> Read, object? Value, string Shown)> Values = new()
    {
        ["nil"] = Of<string?>(null, "null"),
        ["true"] = Of(true, "true"),
        ["zero"] = Of(0L, "0"),
        ["small"] = Of(127L, "127"),
        ["byte"] = Of(200L, "200"),
        ["short"] = Of(40000L, "40000"),
        ["int"] = Of(3000000000L, "3000000000"),
        ["negative"] = Of(-1L, "-1"),
        ["negativeByte"] = Of(-100L, "-100"),
        ["negativeShort"] = Of(-30000L, "-30000"),
        ["negativeInt"] = Of(-2000000000L, "-2000000000"),
        ["long"] = Of(9007199254740993L, "9007199254740993"),
        ["negativeLong"] = Of(-9007199254740993L, "-9007199254740993"),
        ["double"] = Of(1.5, "1.5"),
        ["empty"] = Of("", "\"\""),
        ["text"] = Of("Grüße, 世界 🚀", "\"Grüße, 世界 🚀\""),
        ["text31"] = Of(new string('a', 31), $"\"{new string('a', 31)}\""),
        ["text32"] = Of(new string('a', 32), $"\"{new string('a', 32)}\""),
        ["text300"] = Of(new string('ä', 300), $"\"{new string('ä', 300)}\""),
        ["bytes"] = Of(new byte[] { 0, 1, 255 }, "bytes 0001ff"),
        ["bytes300"] = Of(Enumerable.Repeat((byte)7, 300).ToArray(), "bytes " + string.Concat(Enumerable.Repeat("07", 300))),
        ["list"] = Of(new[] { "a", "b", "c" }, "[\"a\", \"b\", \"c\"]"),
        ["list20"] = Of(Enumerable.Range(0, 20).Select(i => $"{i}").ToArray(), $"[{string.Join(", ", Enumerable.Range(0, 20).Select(i => $"\"{i}\""))}]"),
        ["map"] = Of(new Dictionary<string, string> { ["one"] = "1", ["two"] = "2" }, "{one: \"1\", two: \"2\"}"),
        ["seconds"] = Of(new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), "date 2026-01-02T03:04:05.000Z"),
        ["milliseconds"] = Of(new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc), "date 2026-01-02T03:04:05.678Z"),
        ["beyond"] = Of(new DateTime(2600, 1, 1, 0, 0, 0, DateTimeKind.Utc), "date 2600-01-01T00:00:00.000Z"),
        ["order"] = Of(new Parcel("tea", 2, 1.25, ["a", "b"], null), "[\"tea\", 2, 1.25, [\"a\", \"b\"], null]"),
    };

    [Theory]
    [InlineData("npm")]
    [InlineData("Python")]
    public async Task We_write_the_bytes_that_others_write_and_read_them(string implementation)
    {
        var theirs = (await TellAsync(implementation, "write")).Split('\n').Select(line => line.Split(' ')).ToDictionary(words => words[0], words => words[1]);

        Assert.Equal(theirs.Keys.Order(StringComparer.Ordinal), Values.Keys.Order(StringComparer.Ordinal));
        Assert.All(Values, one =>
        {
            Assert.Equal((one.Key, theirs[one.Key]), (one.Key, Convert.ToHexStringLower(one.Value.Write())));
            Assert.Equivalent(one.Value.Value, one.Value.Read(Convert.FromHexString(theirs[one.Key])), strict: true);
        });
    }

    [Theory]
    [InlineData("npm")]
    [InlineData("Python")]
    public async Task Others_read_what_we_write(string implementation)
    {
        var shown = await TellAsync(implementation, ["read", .. Values.Values.Select(one => Convert.ToHexStringLower(one.Write()))]);

        Assert.Equal(Values.Values.Select(one => one.Shown), shown.Split('\n'));
    }

    private static Task<string> TellAsync(string implementation, params string[] arguments) => implementation == "npm"
        ? ForeignProgram.RunAsync("node", [Path.Combine(Tools.NodeStories, "msgpack.mjs"), .. arguments])
        : ForeignProgram.RunAsync("/usr/bin/python3", [Tools.Story("python", "msgpack-values.py"), .. arguments]);

    private static (Func<byte[]> Write, Func<byte[], object?> Read, object? Value, string Shown) Of<T>(T value, string shown)
    {
        var formatter = Parcels.Default.Get<T>();
        return (() => MessagePackSerializer.Serialize(value, formatter), bytes => MessagePackSerializer.Deserialize(bytes, formatter), value, shown);
    }
}
