using System.CommandLine;
using System.Globalization;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider rtt</c>.</summary>
internal static class RttVerb
{
    internal static Command Create()
    {
        var server = new ServerOptions();
        var count = new Option<int>("--count", "-c") { Description = "Number of round trips", DefaultValueFactory = _ => 5 }.AtLeast(1);
        var verb = ClientVerb.Create("rtt", """
            Measure round trips to the server, from PING to PONG.
              postrider rtt --count 20 -s nats://127.0.0.1:4222
            """, server, RunAsync);
        verb.Options.Add(count);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, "rtt", ct);
            // Without this, the first round trip would include this program's start.
            await client.PingAsync(ct).WaitAsync(server.Timeout(result), ct);
            var times = new List<TimeSpan>();
            for (var i = 0; i < result.GetValue(count); i++)
            {
                times.Add(await client.PingAsync(ct).WaitAsync(server.Timeout(result), ct));
                if (!server.Json(result))
                    await Console.Out.WriteLineAsync($"{client.ConnectedServer}: {Duration.Show(times[^1])}");
            }
            times.Sort();
            var average = TimeSpan.FromTicks((long)times.Average(time => time.Ticks));
            await Console.Out.WriteLineAsync(server.Json(result)
                ? $$"""{"server":{{JsonText.Quote(client.ConnectedServer!)}},"count":{{times.Count}},"min_us":{{Micros(times[0])}},"median_us":{{Micros(times[times.Count / 2])}},"mean_us":{{Micros(average)}},"max_us":{{Micros(times[^1])}}}"""
                : $"min {Duration.Show(times[0])}, median {Duration.Show(times[times.Count / 2])}, mean {Duration.Show(average)}, max {Duration.Show(times[^1])}");
            return ClientVerb.Success;
        }
    }

    private static string Micros(TimeSpan time) => time.TotalMicroseconds.ToString("0.#", CultureInfo.InvariantCulture);
}
