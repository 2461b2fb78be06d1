using System.Buffers.Text;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The fields in the reply subject of a message of a fast batch:
/// <c>prefix.id.flow.gaps.sequence.operation.$FI</c>.</summary>
/// <remarks>Source: NATS ADR-50; nats-server, observed.</remarks>
/// <param name="id">The batch's id.</param>
/// <param name="flow">Maximum number of messages that the publisher sends before it expects an acknowledgement.</param>
/// <param name="allowsGaps">Whether the batch continues without messages that were lost on the way.</param>
/// <param name="sequence">The message's position in the batch, from 1.</param>
/// <param name="operation">The message's purpose.</param>
internal readonly ref struct FastBatch(ReadOnlySpan<byte> id, ushort flow, bool allowsGaps, ulong sequence, FastBatchOperation operation)
{
    private const int DefaultFlow = 10;

    /// <summary>The batch's id.</summary>
    public readonly ReadOnlySpan<byte> Id = id;

    /// <summary>Maximum number of messages that the publisher sends before it expects an acknowledgement.</summary>
    public readonly ushort Flow = flow;

    /// <summary>Whether the batch continues without messages that were lost on the way.</summary>
    public readonly bool AllowsGaps = allowsGaps;

    /// <summary>The message's position in the batch, from 1.</summary>
    public readonly ulong Sequence = sequence;

    /// <summary>The message's purpose.</summary>
    public readonly FastBatchOperation Operation = operation;

    /// <summary>Whether the message ends the batch.</summary>
    public bool Commits => Operation is FastBatchOperation.Commit or FastBatchOperation.CommitWithoutMessage;

    /// <summary>Whether a reply subject belongs to a fast batch.</summary>
    public static bool Matches(ReadOnlySpan<byte> replyTo) => replyTo.EndsWith(".$FI"u8);

    /// <summary>Parses a reply subject that matches.</summary>
    /// <returns>False when it does not have the form above.</returns>
    public static bool TryParse(ReadOnlySpan<byte> replyTo, out FastBatch batch)
    {
        batch = default;
        var rest = replyTo[..^".$FI".Length];
        if (!TryTakeLast(ref rest, out var token) || !TryRead(token, out var number) || number > (ulong)FastBatchOperation.Ping) return false;
        var operation = (FastBatchOperation)number;
        if (!TryTakeLast(ref rest, out token) || !TryRead(token, out var sequence) || sequence is 0 or ulong.MaxValue) return false;
        var isRightPlace = operation switch
        {
            FastBatchOperation.Start => sequence == 1,
            FastBatchOperation.Append or FastBatchOperation.CommitWithoutMessage => sequence > 1,
            _ => true,
        };
        if (!isRightPlace || !TryTakeLast(ref rest, out var gaps) || !(gaps.SequenceEqual("ok"u8) || gaps.SequenceEqual("fail"u8))) return false;
        if (!TryTakeLast(ref rest, out token)) return false;
        var flow = TryRead(token, out var wanted) && wanted > 0 ? (ushort)Math.Min(wanted, ushort.MaxValue) : (ushort)DefaultFlow;
        if (!TryTakeLast(ref rest, out var id)) return false;
        batch = new FastBatch(id, flow, gaps.Length == 2, sequence, operation);
        return true;
    }

    private static bool TryTakeLast(scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> token)
    {
        var dot = rest.LastIndexOf((byte)'.');
        token = rest[(dot + 1)..];
        if (dot < 0) return false;
        rest = rest[..dot];
        return true;
    }

    private static bool TryRead(ReadOnlySpan<byte> token, out ulong number)
        => Utf8Parser.TryParse(token, out number, out var read) && read == token.Length && token[0] != (byte)'+';
}
