using System.CommandLine;
using System.Diagnostics;
using System.Text;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider trace</c>: sends a message that the servers trace, and shows its path.</summary>
internal static class TraceVerb
{
    internal static Command Create()
    {
        var server = new ServerOptions();
        var subject = SubjectArgument.Literal("The subject of the message");
        var payload = new Argument<string?>("payload") { Description = "The text; empty when omitted", Arity = ArgumentArity.ZeroOrOne };
        var deliver = new Option<bool>("--deliver") { Description = "Deliver the message as well; otherwise it is only traced" };
        var headers = MessageText.HeaderOption();
        var verb = ClientVerb.Create("trace", """
            Send a message that the servers trace, and show its path: mappings, streams, clients, accounts and other servers. Exits with 1 if no server reports.
              postrider trace orders.new
              postrider trace orders.new '{"id":7}' --deliver --json
            """, server, RunAsync);
        verb.Arguments.Add(subject);
        verb.Arguments.Add(payload);
        verb.Options.Add(deliver);
        verb.Options.Add(headers);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, "trace", ct);
            var destination = client.NewInbox();
            await using var reports = client.Subscribe<byte[]>(destination);
            await client.PingAsync(ct).WaitAsync(server.Timeout(result), ct);
            var with = MessageText.Headers(result.GetValue(headers)) ?? [];
            // Set regardless of the options: the reports come here, and --deliver decides.
            with["Nats-Trace-Dest"] = destination;
            if (result.GetValue(deliver)) with.Remove("Nats-Trace-Only");
            else with["Nats-Trace-Only"] = "true";
            await client.PublishAsync(result.GetValue(subject)!, Encoding.UTF8.GetBytes(result.GetValue(payload) ?? ""), headers: with, ct: ct);
            var path = await ReadAsync(reports, server.Timeout(result), ct);
            if (path.IsEmpty)
            {
                await Console.Error.WriteLineAsync("postrider: no server reported on the message in time. It may not be permitted to publish here, or the server does not trace messages (nats-server does from 2.11 on).");
                return ClientVerb.Failure;
            }
            await Console.Out.WriteLineAsync(server.Json(result) ? path.ToJson() : path.ToText(result.GetValue(deliver)));
            return ClientVerb.Success;
        }
    }

    // Every server reports how many others it sent the message to: each of these reports as well, unless it cannot.
    private static async Task<TracePath> ReadAsync(NatsSubscription<byte[]> reports, TimeSpan timeout, CancellationToken ct)
    {
        var path = new TracePath();
        var began = Stopwatch.GetTimestamp();
        while (!path.IsComplete && timeout - Stopwatch.GetElapsedTime(began) is var left && left > TimeSpan.Zero)
        {
            try
            {
                path.Add((await reports.ReadAsync(ct).AsTask().WaitAsync(left, ct)).Data);
            }
            catch (TimeoutException)
            {
                break;
            }
        }
        return path;
    }
}
