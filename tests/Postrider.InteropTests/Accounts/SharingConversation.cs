using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Accounts;

/// <summary>Conversations of clients of several accounts, among which requests and answers go to and fro.</summary>
/// <remarks>
/// The language of <see cref="Conversation"/>, and: <c>{reply}</c> in a line that is sent is the last reply subject of the server that this
/// connection received, <c>{reply2}</c> the second one. A line <c>A= text</c> waits until A has received the text. What each server chooses
/// itself is not shown: reply subjects, times, connections' numbers, and sizes of what has one of them.
/// </remarks>
internal static partial class SharingConversation
{
    /// <summary>Speaks the sent lines and gives the received ones, in the order of the connections' names.</summary>
    public static async Task<string> HoldAsync(int port, string script, Func<Task>? reload = null)
    {
        var speakers = new SortedDictionary<string, Speaker>(StringComparer.Ordinal);
        try
        {
            foreach (var (name, lines) in Turns(script))
            {
                if (name == "-")
                {
                    await reload!();
                    continue;
                }

                if (!speakers.TryGetValue(name, out var speaker)) speakers[name] = speaker = new Speaker(await RawConnection.OpenAsync(port));
                if (lines is [['=', .. var awaited]])
                {
                    await speaker.WaitAsync(awaited);
                    continue;
                }

                await speaker.SpeakAsync(lines);
                await speaker.FenceAsync();
            }

            foreach (var speaker in speakers.Values) await speaker.FenceAsync();
            return string.Concat(speakers.Select(static one => Shown(one.Key, one.Value.Received)));
        }
        finally
        {
            foreach (var speaker in speakers.Values) await speaker.Connection.DisposeAsync();
        }
    }

    private static IEnumerable<(string Name, string[] Lines)> Turns(string script)
    {
        string? name = null;
        var said = new List<string>();
        foreach (var line in script.Split('\n').Select(static line => line.TrimEnd('\r')).Where(static line => line.Length > 1 && line[1] is '>' or '='))
        {
            if (name is not null && (line[1] == '=' || name != line[..1]))
            {
                yield return (name, [.. said]);
                said.Clear();
                name = null;
            }

            var text = line.Length > 3 ? line[3..] : "";
            if (line[1] == '=')
            {
                yield return (line[..1], ["=" + text]);
                continue;
            }

            name = line[..1];
            said.Add(text);
        }

        if (name is not null) yield return (name, [.. said]);
    }

    private static string Shown(string name, string received)
    {
        if (received.EndsWith("\r\n", StringComparison.Ordinal)) received = received[..^2];
        if (received.Length == 0) return "";
        var lines = ReplySubject().Replace(received, "_R_.*").Split("\r\n");
        for (var i = 0; i < lines.Length; i++)
            if (Message().IsMatch(lines[i]) && HasOwn(lines, i)) lines[i] = Sizes().Replace(lines[i], " #");
        // A server that is slow to answer asks in turn whether its client is there.
        return string.Concat(lines.Where(static line => line != "PING").Select(line => $"{name}< {Masked(line)}".TrimEnd() + "\n"));
    }

    private static bool HasOwn(string[] lines, int head)
        => lines[head].Contains("$JS.ACK", StringComparison.Ordinal)
            || lines.Skip(head + 1).Take(7).TakeWhile(static line => !Message().IsMatch(line))
                .Any(static line => line.Contains("Nats-Request-Info", StringComparison.Ordinal) || line.Contains("\"type\":\"io.nats", StringComparison.Ordinal));

    private static string Masked(string line)
    {
        line = RoundTrip().Replace(line, "");
        line = Time().Replace(line, "\"$1\":\"*\"");
        line = Number().Replace(line, "\"$1\":0");
        line = EventId().Replace(line, "\"id\":\"*\"");
        line = Api().Replace(line, "");
        return AckTime().Replace(line, "$1.*");
    }

    [GeneratedRegex(@"_R_\.\w+\.\w+(?:\.\w+\.T)?")]
    private static partial Regex ReplySubject();

    [GeneratedRegex(@"(?:_R_\.\w+\.\w+(?:\.\w+\.T)?|\$JS\.ACK\.\S+)")]
    private static partial Regex Answerable();

    [GeneratedRegex(@"\{reply(\d*)\}")]
    private static partial Regex Placeholder();

    [GeneratedRegex("^H?MSG ")]
    private static partial Regex Message();

    [GeneratedRegex(@"(\s+\d+)+$")]
    private static partial Regex Sizes();

    [GeneratedRegex(@",""rtt"":\d+")]
    private static partial Regex RoundTrip();

    [GeneratedRegex(@"""(start|created|ts|time|first_ts|last_ts|timestamp|last_active|server)"":""[^""]*""")]
    private static partial Regex Time();

    [GeneratedRegex(@"""(id|bytes|storage|service|system|total)"":\d+")]
    private static partial Regex Number();

    [GeneratedRegex(@"""id"":""\w{22}""")]
    private static partial Regex EventId();

    [GeneratedRegex(@",""api"":\{[^}]*\}")]
    private static partial Regex Api();

    [GeneratedRegex(@"(\$JS\.ACK\.\w+\.\w+\.\d+\.\d+\.\d+)\.\d+")]
    private static partial Regex AckTime();

    private sealed class Speaker(RawConnection connection)
    {
        private readonly StringBuilder _received = new();
        private bool _isGreeted;

        public RawConnection Connection => connection;

        public string Received => _received.ToString();

        private bool IsClosed => Received.EndsWith("(closed)", StringComparison.Ordinal);

        public async Task SpeakAsync(string[] lines)
        {
            // At once: Go's server complains twice of a subject when its payload comes in another read.
            var said = new StringBuilder();
            if (!_isGreeted && !lines[0].StartsWith("CONNECT", StringComparison.Ordinal)) said.Append("CONNECT {\"verbose\":false}\r\n");
            _isGreeted = true;
            foreach (var line in lines)
            {
                if (Placeholder().IsMatch(line))
                {
                    // What is answered may only just have come.
                    await connection.SendAsync(said.ToString());
                    said.Clear();
                    await FenceAsync();
                }

                said.Append(Placeholder().Replace(line, Reply)).Append("\r\n");
            }

            await connection.SendAsync(said.ToString());
        }

        public async Task FenceAsync()
        {
            if (!IsClosed) _received.Append(await connection.FenceAmidMessagesAsync());
        }

        public async Task WaitAsync(string text)
        {
            Assert.True(
                Received.Contains(text, StringComparison.Ordinal) || await connection.UntilAsync(received => received.Contains(text, StringComparison.Ordinal)),
                $"'{text}' did not come: {Received}{connection.Received}");
            await FenceAsync();
        }

        private string Reply(Match placeholder)
        {
            var replies = Answerable().Matches(Received).Select(static match => match.Value).Distinct().ToArray();
            return placeholder.Groups[1].Length == 0 ? replies[^1] : replies[int.Parse(placeholder.Groups[1].Value, CultureInfo.InvariantCulture) - 1];
        }
    }
}
