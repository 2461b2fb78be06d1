using System.CommandLine;
using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;
using Postrider.Client;

namespace Postrider.CommandLine.Checks;

/// <summary>Checks of connections and services.</summary>
internal static class ServerChecks
{
    internal static Command Connection()
    {
        var connectWarn = JetStreamVerb.Time("--connect-warn", "Connect time of a warning (500ms)");
        var connectCritical = JetStreamVerb.Time("--connect-critical", "Connect time of a critical state (1s)");
        var rttWarn = JetStreamVerb.Time("--rtt-warn", "Round trip time of a warning (500ms)");
        var rttCritical = JetStreamVerb.Time("--rtt-critical", "Round trip time of a critical state (1s)");
        var requestWarn = JetStreamVerb.Time("--req-warn", "Time of a message to itself for a warning (500ms)");
        var requestCritical = JetStreamVerb.Time("--req-critical", "Time of a message to itself for a critical state (1s)");
        return CheckVerb.Create("connection", """
            Check that a server accepts connections, responds, and delivers a message.
              postrider server check connection --rtt-warn 20ms --rtt-critical 200ms
            """, static _ => "Connection", RunAsync, connectWarn, connectCritical, rttWarn, rttCritical, requestWarn, requestCritical);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            var began = Stopwatch.GetTimestamp();
            await using var client = await call.ConnectAsync(ct);
            var timeout = call.Server.Timeout(call.Result);
            Judge("connect_time", Stopwatch.GetElapsedTime(began), connectWarn, connectCritical, $"connected to {client.ConnectedServer}", "Time taken to connect");
            // Without this, the first round trip would include this program's start.
            await client.PingAsync(ct).WaitAsync(timeout, ct);
            Judge("rtt", await client.PingAsync(ct).WaitAsync(timeout, ct), rttWarn, rttCritical, "round trip", "The round trip time of a PING");
            var inbox = client.NewInbox();
            await using var own = client.Subscribe<byte[]>(inbox);
            var sent = Stopwatch.GetTimestamp();
            await client.PublishAsync(inbox, new byte[8], ct: ct);
            await own.ReadAsync(ct).AsTask().WaitAsync(timeout, ct);
            Judge("request_time", Stopwatch.GetElapsedTime(sent), requestWarn, requestCritical, "message to itself", "Time taken by a message to this client itself");

            void Judge(string name, TimeSpan time, Option<TimeSpan?> warn, Option<TimeSpan?> critical, string what, string help)
                => call.Check.AtMost(name, time.TotalSeconds, "s", call.Seconds(warn) ?? 0.5, call.Seconds(critical) ?? 1, $"{what} {(name == "connect_time" ? "in " : "")}{Duration.Show(time)}", help);
        }
    }

    internal static Command Request()
    {
        var subject = CheckVerb.Required("--subject", "The subject of the request").Subjects();
        var payload = new Option<string?>("--payload") { Description = "The text of the request" };
        var headers = MessageText.HeaderOption();
        var match = new Option<string?>("--match-payload") { Description = "A regular expression that the answer has to match" };
        var warn = JetStreamVerb.Time("--response-warn", "Response time of a warning");
        var critical = JetStreamVerb.Time("--response-critical", "Response time of a critical state");
        match.Validators.Add(static result => CheckPattern(result));
        return CheckVerb.Create("request", """
            Check that a service replies to a request, in time and with the right content.
              postrider server check request --subject health --match-payload '^ok' --response-critical 500ms
            """, result => result.GetValue(subject)!, RunAsync, subject, payload, headers, match, warn, critical);

        async Task RunAsync(CheckVerb.Call call, CancellationToken ct)
        {
            await using var client = await call.ConnectAsync(ct);
            var began = Stopwatch.GetTimestamp();
            var data = Encoding.UTF8.GetBytes(call.Get(payload) ?? "");
            var answer = await client.RequestAsync<byte[], byte[]>(call.Get(subject)!, data, headers: MessageText.Headers(call.Result.GetValue(headers)), ct: ct);
            var time = Stopwatch.GetElapsedTime(began);
            var text = Encoding.UTF8.GetString(answer.Data);
            if (call.Get(match) is { } pattern && !Matches(text, pattern))
                call.Check.Critical($"the answer does not match '{pattern}'");
            else
                call.Check.Ok($"answered with {Quantity.Of(answer.Data.Length, "byte")}");
            call.Check.AtMost("time", time.TotalSeconds, "s", call.Seconds(warn), call.Seconds(critical), $"response time {Duration.Show(time)}", "Time taken by the response");
        }
    }

    /// <summary>Rejects a value that is not a regular expression.</summary>
    internal static void CheckPattern(System.CommandLine.Parsing.OptionResult result)
    {
        foreach (var token in result.Tokens)
        {
            try
            {
                _ = new Regex(token.Value, RegexOptions.NonBacktracking);
            }
            catch (Exception error) when (error is ArgumentException or NotSupportedException)
            {
                result.AddError($"'{token.Value}' is not a regular expression: {error.Message}");
            }
        }
    }

    internal static bool Matches(string text, string pattern) => Regex.IsMatch(text, pattern, RegexOptions.NonBacktracking);
}
