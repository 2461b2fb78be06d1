using System.Text.RegularExpressions;
using Postrider.InteropTests.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>Header blocks and requests that no client library writes: Go's server and ours answer them alike.</summary>
public sealed partial class OddMessageTests
{
    private const string Stream = """ "name":"S","subjects":["a.>"],"storage":"memory","allow_direct":true,"allow_msg_ttl":true,"allow_rollup_hdrs":true,"allow_msg_schedules":true """;

    // A subject, a header block and a payload; for a stream of its own, the result is every answer.
    public static TheoryData<string, string[]> Stories => new()
    {
        { "block of one byte", ["a.x|X|1", "$JS.API.DIRECT.GET.S||{\"seq\":1}", "$JS.API.STREAM.MSG.GET.S||{\"seq\":1}"] },
        { "block of two bytes", ["a.x|\r\n|1", "$JS.API.DIRECT.GET.S||{\"seq\":1}", "$JS.API.STREAM.MSG.GET.S||{\"seq\":1}"] },
        { "status without lines", ["a.x|NATS/1.0 100 Idle Heartbeat\r\n\r\n|1", "$JS.API.STREAM.MSG.GET.S||{\"seq\":1}"] },
        { "status before lines", ["a.x|NATS/1.0 503\r\nA: b\r\n\r\n|1", "$JS.API.STREAM.MSG.GET.S||{\"seq\":1}"] },
        { "block without lines", ["a.x|NATS/1.0\r\n\r\n|1", "$JS.API.STREAM.MSG.GET.S||{\"seq\":1}"] },
        { "ids and blanks", [Id(" a"), Id(" a "), Id("\ta"), Id("a"), Id("  a"), Id("\r\nNats-Msg-Id: a"), Id(" b\r\nNats-Msg-Id: a")] },
        { "line feeds", ["a.x|NATS/1.0\nNats-Expected-Last-Sequence: 7\n\n|1", "a.x|NATS/1.0\r\nA: b\nNats-Expected-Last-Sequence: 7\r\n\r\n|1", "$JS.API.STREAM.MSG.GET.S||{\"seq\":2}"] },
        { "blanks after values", ["a.x|NATS/1.0\r\nNats-TTL: 5 \r\n\r\n|1", "a.x|NATS/1.0\r\nNats-Rollup: sub \r\n\r\n|1", "a.x|NATS/1.0\r\nNats-Incr: 3 \r\n\r\n|", "a.x|NATS/1.0\r\nNats-Expected-Last-Sequence: 0 \r\n\r\n|"] },
        { "blanks in schedules", [Schedule("@at  2099-01-01T00:00:00Z"), Schedule("@at 2099-01-01T00:00:00Z "), Schedule("@at 2099-01-01 00:00:00Z"), Schedule("@at 2099-01-01T00:00:00.5+01:00"), Schedule("@every 1h ")] },
        { "empty requests", ["$JS.API.STREAM.MSG.DELETE.S||{ }", "$JS.API.STREAM.MSG.DELETE.S|| ", "$JS.API.STREAM.MSG.GET.S||{ }", "$JS.API.STREAM.SNAPSHOT.S||{ }", "$JS.API.STREAM.DELETE.S|| ", "$JS.API.STREAM.DELETE.S||{ }"] },
    };

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Both_servers_answer_alike(string story, string[] steps)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var go = await GoServer.StartAsync($"jetstream {{ store_dir: \"{Path.Combine(folder.FullName, "go")}\" }}");
            await using var ours = await Postrider.Broker.NatsBroker.StartAsync(new Postrider.Broker.BrokerOptions
            {
                Port = Postrider.Broker.BrokerOptions.RandomPort,
                JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Combine(folder.FullName, "ours") },
            });

            var (expected, actual) = (await TellAsync(go.Port, steps), await TellAsync(new Uri(ours.Url!).Port, steps));

            Assert.True(expected.Count == steps.Length, story);
            Assert.Equal(string.Join('\n', expected), string.Join('\n', actual));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string Id(string value) => $"a.x|NATS/1.0\r\nNats-Msg-Id:{value}\r\n\r\n|1";

    private static string Schedule(string pattern) => $"a.x|NATS/1.0\r\nNats-Schedule: {pattern}\r\nNats-Schedule-Target: a.y\r\n\r\n|1";

    private static async Task<List<string>> TellAsync(int port, string[] steps)
    {
        await using var connection = await RawConnection.OpenAsync(port);
        await connection.SendAsync("CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true}\r\nSUB inbox 1\r\n");
        var read = 0;
        await AskAsync($"$JS.API.STREAM.CREATE.S||{{{Stream}}}");
        var answers = new List<string>();
        foreach (var step in steps) answers.Add(Time().Replace(await AskAsync(step), "TIME").Replace("\\u0022", "\\\"", StringComparison.Ordinal));
        return answers;

        async Task<string> AskAsync(string step)
        {
            var parts = step.Split('|');
            await connection.SendAsync(parts[1].Length == 0
                ? $"PUB {parts[0]} inbox {parts[2].Length}\r\n{parts[2]}\r\n"
                : $"HPUB {parts[0]} inbox {parts[1].Length} {parts[1].Length + parts[2].Length}\r\n{parts[1]}{parts[2]}\r\n");
            var (start, end) = (0, 0);
            Assert.True(await connection.UntilAsync(text => Message(text, read, out start, out end)), step);
            read = end;
            return connection.Received[start..end].TrimEnd();
        }
    }

    // The place of a message's headers and payload in what was received.
    private static bool Message(string text, int from, out int start, out int end)
    {
        start = end = 0;
        while (text.AsSpan(from).StartsWith("PING\r\n")) from += "PING\r\n".Length;
        var line = text.IndexOf("\r\n", from, StringComparison.Ordinal);
        if (line < 0) return false;
        start = line + 2;
        end = start + int.Parse(text[from..line].Split(' ')[^1], System.Globalization.CultureInfo.InvariantCulture) + 2;
        return text.Length >= end;
    }

    [GeneratedRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")]
    private static partial Regex Time();
}
