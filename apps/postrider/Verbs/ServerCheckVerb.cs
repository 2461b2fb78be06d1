using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Postrider.Client;
using Postrider.CommandLine.Checks;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider server check</c>: exit codes are those of monitoring plug-ins: 0 fine, 1 warning, 2 critical, 3 unknown.</summary>
internal static class ServerCheckVerb
{
    private const int Warning = 1;
    private const int Critical = 2;
    private const int Unknown = 3;

    private static readonly TimeSpan DefaultWarn = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan DefaultCritical = TimeSpan.FromSeconds(1);

    internal static Command Create()
    {
        var server = new ServerOptions();
        var warn = JetStreamVerb.Time("--warn", "Round trip time for a warning (500ms)");
        var critical = JetStreamVerb.Time("--critical", "Round trip time for a critical state (1s)");
        var verb = ClientVerb.Create("check", """
            Check that a server accepts connections and responds in time; its commands check more. Exits with 0 if all is well, 1 for a warning, 2 for a critical state, 3 if it cannot check.
              postrider server check --warn 20ms --critical 200ms
            """, server, RunAsync);
        verb.Options.Add(warn);
        verb.Options.Add(critical);
        foreach (var check in (ReadOnlySpan<Command>)[ServerChecks.Connection(), JetStreamChecks.Stream(), JetStreamChecks.Consumer(), JetStreamChecks.Message(), JetStreamChecks.KeyValue(), JetStreamChecks.Account(), ServerChecks.Request()])
            verb.Subcommands.Add(check);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            var began = Stopwatch.GetTimestamp();
            try
            {
                await using var client = await server.ConnectAsync(result, "server check", ct);
                var connected = Stopwatch.GetElapsedTime(began);
                // Without this, the first round trip would include this program's start.
                await client.PingAsync(ct).WaitAsync(server.Timeout(result), ct);
                var trip = await client.PingAsync(ct).WaitAsync(server.Timeout(result), ct);
                var code = trip >= (result.GetValue(critical) ?? DefaultCritical) ? Critical : trip >= (result.GetValue(warn) ?? DefaultWarn) ? Warning : ClientVerb.Success;
                await ReportAsync(code, $"connected to {client.ConnectedServer} in {Duration.Show(connected)}, round trip {Duration.Show(trip)}", connected, trip);
                return code;
            }
            catch (Exception error) when (CheckVerb.IsOwnMistake(error, ct))
            {
                await ReportAsync(Unknown, error is OperationCanceledException ? "Interrupted before the end." : error.Message, Stopwatch.GetElapsedTime(began), null);
                return Unknown;
            }
            catch (Exception error) when (error is NatsClientException or TimeoutException)
            {
                await ReportAsync(Critical, error.Message, Stopwatch.GetElapsedTime(began), null);
                return Critical;
            }

            Task ReportAsync(int code, string text, TimeSpan connected, TimeSpan? trip) => Console.Out.WriteLineAsync(server.Json(result)
                ? $$"""{"status":"{{Word(code).ToLowerInvariant()}}","message":{{JsonText.Quote(text)}},"connect_ms":{{Millis(connected)}},"rtt_ms":{{(trip is { } time ? Millis(time) : "null")}}}"""
                : $"{Word(code)}: {text}");
        }
    }

    private static string Word(int code) => code switch
    {
        ClientVerb.Success => "OK",
        Warning => "WARNING",
        Unknown => "UNKNOWN",
        _ => "CRITICAL",
    };

    private static string Millis(TimeSpan time) => time.TotalMilliseconds.ToString("0.###", CultureInfo.InvariantCulture);
}
