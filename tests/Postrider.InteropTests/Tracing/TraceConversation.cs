using System.Globalization;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Tracing;

/// <summary>Publishes a traced message while others listen.</summary>
internal static class TraceConversation
{
    private const string Fence = "fence.end";

    /// <summary>The frame of a message with headers.</summary>
    public static string Publish(string subject, string replyTo, string[] headers, string payload)
    {
        var block = $"NATS/1.0\r\n{string.Concat(headers.Select(static header => header + "\r\n"))}\r\n";
        return string.Create(CultureInfo.InvariantCulture, $"HPUB {subject} {(replyTo.Length == 0 ? "" : replyTo + " ")}{block.Length} {block.Length + payload.Length}\r\n{block}{payload}\r\n");
    }

    /// <summary>Publishes the message of a row.</summary>
    /// <param name="port">The server's port.</param>
    /// <param name="row">The row.</param>
    /// <returns>The trace, and what everybody received.</returns>
    public static async Task<List<string>> TellAsync(int port, TraceRow row)
    {
        var noEcho = row.Own.StartsWith("noecho ", StringComparison.Ordinal);
        await using var publisher = await SystemClient.ConnectAsync(port, "publisher", _ => $"\"user\":\"{row.User}\",\"pass\":\"p\",\"echo\":{(noEcho ? "false" : "true")}");
        var account = row.User is "r" or "o" ? "a" : row.User;
        await using var watcher = await SystemClient.ConnectAsync(port, account, "watcher");
        var listeners = new List<SystemClient>();
        try
        {
            foreach (var (listener, i) in row.Listeners.Select(static (listener, i) => (listener, i)))
            {
                var user = listener.Split(' ')[0];
                listeners.Add(await SystemClient.ConnectAsync(port, user, string.Create(CultureInfo.InvariantCulture, $"listener-{i}")));
                await listeners[^1].SubscribeAsync(listener[(user.Length + 1)..]);
            }
            if (row.Own.Length > 0) await publisher.SubscribeAsync(row.Own.Replace("noecho ", "", StringComparison.Ordinal));
            await watcher.SubscribeAsync(row.Destination, Fence);

            await publisher.SendAsync(Publish(row.Subject, row.ReplyTo, row.Headers, row.Payload));
            await publisher.FenceAsync();
            var lines = new List<string>();
            if (row.IsTraced)
            {
                var (_, _, headers, payload) = await watcher.NextAsync(message => message.Subject == row.Destination);
                lines.Add($"headers {headers}");
                lines.AddRange(TraceText.LinesOf(payload));
            }
            // Traces come in the order of their messages.
            await watcher.SendAsync(Publish("nobody.there", "", [$"Nats-Trace-Dest: {Fence}"], ""));
            await watcher.NextAsync(static message => message.Subject == Fence);
            lines.Add($"traces {watcher.Received.Split($"MSG {row.Destination} ").Length - 1}");

            foreach (var client in listeners)
            {
                await client.FenceAsync();
                lines.Add($"received {TraceText.MessagesOf(client.Received)}");
            }
            if (row.IsAnswered)
            {
                var (_, _, headers, _) = await publisher.NextAsync(static message => message.Subject == "answers");
                lines.Add($"answer {headers.Split('\r')[0]}");
            }
            if (!row.HidesAnswer) lines.Add($"publisher received {TraceText.MessagesOf(publisher.Received)}");
            return lines;
        }
        finally
        {
            foreach (var client in listeners) await client.DisposeAsync();
        }
    }
}
