using System.Text;

namespace Postrider.InteropTests.Harness;

/// <summary>What some connections say to a server and what each of them is told.</summary>
/// <remarks>
/// A line <c>A&gt; text</c> is sent on connection A, a line <c>A&lt; text</c> is what A receives; every line ends with CRLF
/// on the wire. A connection whose first line is no CONNECT says <c>CONNECT {"verbose":false}</c> before it, unless that
/// line is <c>(no CONNECT)</c>. A line <c>A&lt; (closed)</c> says that the server closed A. Before another connection speaks, a PING and its
/// PONG, which are not shown, make sure that the server has read what was said; what a connection receives is compared as a
/// whole, in its order. A line <c>-&gt; reload</c> lets the server read its configuration again.
/// </remarks>
internal static class Conversation
{
    private const string NoConnect = "(no CONNECT)\r\n";
    private const string Operator = "-";

    /// <summary>Speaks the sent lines and gives the received ones, in the order of the connections' names.</summary>
    /// <param name="port">The server's.</param>
    /// <param name="script">What is said.</param>
    /// <param name="reload">What a line <c>-&gt; reload</c> does.</param>
    public static async Task<string> HoldAsync(int port, string script, Func<Task>? reload = null)
    {
        var connections = new SortedDictionary<string, (RawConnection Connection, StringBuilder Received)>(StringComparer.Ordinal);
        try
        {
            foreach (var (name, bytes) in Turns(script))
            {
                if (name == Operator)
                {
                    await reload!();
                    continue;
                }

                if (!connections.TryGetValue(name, out var speaker))
                {
                    connections[name] = speaker = (await RawConnection.OpenAsync(port), new StringBuilder());
                    await speaker.Connection.SendAsync(Greeting(bytes));
                }

                await speaker.Connection.SendAsync(bytes.Replace(NoConnect, "", StringComparison.Ordinal));
                speaker.Received.Append(await speaker.Connection.FenceAsync());
            }

            foreach (var (connection, received) in connections.Values.Where(one => !one.Received.ToString().EndsWith("(closed)", StringComparison.Ordinal)))
                received.Append(await connection.FenceAsync());

            return string.Concat(connections.Select(one => Shown(one.Key, one.Value.Received.ToString())));
        }
        finally
        {
            foreach (var (connection, _) in connections.Values)
                await connection.DisposeAsync();
        }
    }

    /// <summary>The received lines of the script, grouped by connection as <see cref="HoldAsync"/> gives them.</summary>
    public static string Expected(string script)
        => string.Concat(Lines(script).Where(line => line[1] == '<').GroupBy(line => line[0]).OrderBy(group => group.Key)
            .SelectMany(group => group.Select(line => line + "\n")));

    private static IEnumerable<(string Name, string Bytes)> Turns(string script)
    {
        string? name = null;
        var bytes = new StringBuilder();
        foreach (var line in Lines(script).Where(line => line[1] == '>'))
        {
            if (name is not null && name != line[..1])
            {
                yield return (name, bytes.ToString());
                bytes.Clear();
            }

            name = line[..1];
            bytes.Append(line.AsSpan(line.Length > 2 ? 3 : 2)).Append("\r\n");
        }

        if (name is not null)
            yield return (name, bytes.ToString());
    }

    private static string Greeting(string bytes)
        => bytes.StartsWith("CONNECT ", StringComparison.Ordinal) || bytes.StartsWith(NoConnect, StringComparison.Ordinal) ? "" : "CONNECT {\"verbose\":false}\r\n";

    private static IEnumerable<string> Lines(string script) => script.Split('\n').Select(line => line.TrimEnd('\r')).Where(line => line.Length > 1);

    private static string Shown(string name, string received)
    {
        if (received.EndsWith("\r\n", StringComparison.Ordinal))
            received = received[..^2];

        return received.Length == 0 ? "" : string.Concat(received.Split("\r\n").Select(line => line.Length == 0 ? $"{name}<\n" : $"{name}< {line}\n"));
    }
}
