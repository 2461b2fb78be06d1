using Amqp;
using Amqp.Types;

namespace Postrider.Transport.ServiceBus;

/// <summary>Reads messages without locking them.</summary>
internal static class ServiceBusProbe
{
    /// <summary>Checks whether a source exists and may be listened to.</summary>
    /// <exception cref="AmqpException">It does not exist, or may not be listened to.</exception>
    internal static Task<List<Message>> AskAsync(AmqpConnection connection, string source, CancellationToken ct) => PeekAsync(connection, source, long.MaxValue, 1, ct);

    /// <summary>Reads messages by their sequence.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="source">The queue, subscription or dead-letter queue.</param>
    /// <param name="from">The first sequence number.</param>
    /// <param name="max">The largest number of messages; the service may return fewer.</param>
    /// <param name="ct">Cancels the question.</param>
    /// <returns>The messages; empty after the last one.</returns>
    internal static async Task<List<Message>> PeekAsync(AmqpConnection connection, string source, long from, int max, CancellationToken ct)
    {
        var answer = await connection.AskAsync(source, "com.microsoft:peek-message", new Map { ["from-sequence-number"] = from, ["message-count"] = max }, ct).ConfigureAwait(false);
        var found = new List<Message>();
        if ((answer.Body as Map)?.GetValueOrDefault("messages") is not System.Collections.IEnumerable messages)
            return found;
        foreach (var one in messages)
        {
            if ((one as Map)?.GetValueOrDefault("message") is byte[] bytes)
                found.Add(Message.Decode(new ByteBuffer(bytes, 0, bytes.Length, bytes.Length)));
        }

        return found;
    }
}
