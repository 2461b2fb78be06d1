using System.CommandLine;
using Postrider.Client;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider sub</c>.</summary>
internal static class SubVerb
{
    internal static Command Create()
    {
        var server = new ServerOptions();
        var subject = SubjectArgument.Pattern("The subject; * and > are wildcards");
        var queue = new Option<string?>("--queue", "-q") { Description = "Queue group: each message goes to one member" };
        var count = new Option<long>("--count", "-c") { Description = "Stop after this many messages" }.AtLeast(1);
        var raw = new Option<bool>("--raw") { Description = "Print only payloads" };
        var verb = ClientVerb.Create("sub", """
            Show the messages of a subject until Ctrl+C.
              postrider sub 'orders.>'
              postrider sub orders.new --queue workers --count 10 --json
            """, server, RunAsync);
        verb.Arguments.Add(subject);
        verb.Options.Add(queue);
        verb.Options.Add(count);
        verb.Options.Add(raw);
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            await using var client = await server.ConnectAsync(result, "sub", ct);
            var options = new SubscriptionOptions { MaxMessages = result.GetValue(count) };
            await using var subscription = client.Subscribe<byte[]>(result.GetValue(subject)!, result.GetValue(queue), options);
            await client.FlushAsync(ct);
            await Console.Error.WriteLineAsync($"Subscribed to {subscription.Subject} at {client.ConnectedServer}");
            await foreach (var message in subscription.WithCancellation(ct))
                await WriteAsync(message, result.GetValue(raw), server.Json(result), ct);
            return ClientVerb.Success;
        }
    }

    /// <summary>Shows one message in the form that was asked for.</summary>
    internal static async Task WriteAsync(NatsMessage<byte[]> message, bool raw, bool json, CancellationToken ct)
    {
        if (!raw)
        {
            await Console.Out.WriteLineAsync(json ? MessageText.Json(message) : MessageText.Readable(message));
            return;
        }
        await using var output = Console.OpenStandardOutput();
        await output.WriteAsync(message.Data, ct);
        await output.WriteAsync("\n"u8.ToArray(), ct);
    }
}
