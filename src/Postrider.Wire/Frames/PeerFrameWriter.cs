using System.Buffers;
using System.Buffers.Text;

namespace Postrider.Wire.Frames;

/// <summary>Writes the frames of a connection between two servers: the start and end of interest, and the lines before messages.</summary>
/// <remarks>Names are not checked here. Source: nats-server, protocols of leaf nodes and routes.</remarks>
public static class PeerFrameWriter
{
    // Two sizes of at most ten digits each, the name, separators and the line's end.
    private const int OtherBytes = 40;

    /// <summary>Writes LS+ or RS+: interest starts, or the weight of a queue group changes.</summary>
    /// <param name="target">Receives the frame.</param>
    /// <param name="kind">The kind of the connection.</param>
    /// <param name="account">The account's name if frames contain it, or nothing.</param>
    /// <param name="subject">The subject or pattern.</param>
    /// <param name="queueGroup">The queue group, or nothing.</param>
    /// <param name="weight">The group's members, 1 and up; not written without a group.</param>
    /// <param name="origin">On a route the cluster of the interested leaf node, which selects LS+; else nothing.</param>
    public static void WriteSubscribe(
        IBufferWriter<byte> target, PeerKind kind, ReadOnlySpan<byte> account, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, int weight, ReadOnlySpan<byte> origin = default)
    {
        target.Write(kind == PeerKind.Route && origin.IsEmpty ? "RS+ "u8 : "LS+ "u8);
        WriteName(target, origin);
        WriteName(target, account);
        target.Write(subject);
        if (!queueGroup.IsEmpty)
        {
            target.Write(" "u8);
            target.Write(queueGroup);
            Span<byte> digits = stackalloc byte[12];
            digits[0] = (byte)' ';
            Utf8Formatter.TryFormat(weight, digits[1..], out var written);
            target.Write(digits[..(written + 1)]);
        }
        target.Write("\r\n"u8);
    }

    /// <summary>Writes LS- or RS-: interest ends.</summary>
    /// <param name="target">Receives the frame.</param>
    /// <param name="kind">The kind of the connection.</param>
    /// <param name="account">The account's name if frames contain it, or nothing.</param>
    /// <param name="subject">The subject or pattern.</param>
    /// <param name="queueGroup">The queue group, or nothing.</param>
    /// <param name="origin">On a route the cluster of the formerly interested leaf node, which selects LS-; else nothing.</param>
    public static void WriteUnsubscribe(
        IBufferWriter<byte> target, PeerKind kind, ReadOnlySpan<byte> account, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> queueGroup, ReadOnlySpan<byte> origin = default)
    {
        target.Write(kind == PeerKind.Route && origin.IsEmpty ? "RS- "u8 : "LS- "u8);
        WriteName(target, origin);
        WriteName(target, account);
        target.Write(subject);
        if (!queueGroup.IsEmpty)
        {
            target.Write(" "u8);
            target.Write(queueGroup);
        }
        target.Write("\r\n"u8);
    }

    /// <summary>An upper bound of the length that <see cref="WriteMessageHead"/> writes.</summary>
    /// <param name="accountBytes">The length of the account's name; 0 if frames contain none.</param>
    /// <param name="subjectBytes">The subject's bytes.</param>
    /// <param name="replyToBytes">The reply subject's bytes; 0 without one.</param>
    /// <param name="queueGroupsBytes">The bytes of the queue groups with the spaces between them; 0 without one.</param>
    /// <param name="originBytes">The length of the name of the leaf node's cluster; 0 without one.</param>
    /// <returns>Bytes.</returns>
    public static int MaxMessageHeadBytes(int accountBytes, int subjectBytes, int replyToBytes, int queueGroupsBytes, int originBytes = 0)
        => OtherBytes + accountBytes + subjectBytes + replyToBytes + queueGroupsBytes + originBytes;

    /// <summary>Writes the line in front of a message's headers and payload.</summary>
    /// <param name="target">At least <see cref="MaxMessageHeadBytes"/> bytes.</param>
    /// <param name="kind">The kind of the connection.</param>
    /// <param name="account">The account's name if frames contain it, or nothing.</param>
    /// <param name="subject">The subject.</param>
    /// <param name="replyTo">The reply subject, or nothing.</param>
    /// <param name="queueGroups">The queue groups, one member of each of which receives it, separated by one space; or nothing.</param>
    /// <param name="headerBytes">The bytes of the header block; 0 writes an LMSG or RMSG.</param>
    /// <param name="totalBytes">The bytes of headers and payload.</param>
    /// <param name="origin">On a route the cluster of the leaf node from which the message came, which selects LMSG with both sizes; else nothing.</param>
    /// <returns>The bytes written.</returns>
    public static int WriteMessageHead(
        Span<byte> target,
        PeerKind kind,
        ReadOnlySpan<byte> account,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> queueGroups,
        int headerBytes,
        int totalBytes,
        ReadOnlySpan<byte> origin = default)
    {
        (!origin.IsEmpty ? "LMSG "u8 : headerBytes > 0 ? "HMSG "u8 : kind == PeerKind.Route ? "RMSG "u8 : "LMSG "u8).CopyTo(target);
        var position = 5;
        if (!origin.IsEmpty) Append(target, ref position, origin);
        if (!account.IsEmpty) Append(target, ref position, account);
        Append(target, ref position, subject);
        if (!queueGroups.IsEmpty) Append(target, ref position, replyTo.IsEmpty ? "|"u8 : "+"u8);
        if (!replyTo.IsEmpty) Append(target, ref position, replyTo);
        if (!queueGroups.IsEmpty) Append(target, ref position, queueGroups);
        if (headerBytes > 0 || !origin.IsEmpty)
        {
            Utf8Formatter.TryFormat(headerBytes, target[position..], out var digits);
            position += digits;
            target[position++] = (byte)' ';
        }
        Utf8Formatter.TryFormat(totalBytes, target[position..], out var written);
        position += written;
        "\r\n"u8.CopyTo(target[position..]);
        return position + 2;
    }

    private static void WriteName(IBufferWriter<byte> target, ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty) return;
        target.Write(name);
        target.Write(" "u8);
    }

    private static void Append(Span<byte> target, ref int position, ReadOnlySpan<byte> argument)
    {
        argument.CopyTo(target[position..]);
        position += argument.Length;
        target[position++] = (byte)' ';
    }
}
