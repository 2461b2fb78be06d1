namespace Postrider.Wire.Frames;

/// <summary>One frame of a connection between two servers as received: slices of the parser's input, not copied.</summary>
/// <remarks>Valid until the owner of the input releases those bytes. Members that the operation does not have are empty.</remarks>
public readonly ref struct PeerFrame
{
    /// <summary>The operation.</summary>
    public PeerFrameKind Kind { get; init; }

    /// <summary>The whole frame, with its last CR LF.</summary>
    public ReadOnlySpan<byte> Bytes { get; init; }

    /// <summary>The cluster of the leaf node that sent a subscription or a message, in LS+, LS- and LMSG of a route; empty in others.</summary>
    public ReadOnlySpan<byte> Origin { get; init; }

    /// <summary>Whether a subscription of a route belongs to a leaf node, whose cluster an older server omits in LS-.</summary>
    public bool IsOfLeafNode { get; init; }

    /// <summary>The account's name in a frame of a route; empty if frames have none.</summary>
    public ReadOnlySpan<byte> Account { get; init; }

    /// <summary>The subject of a message, or the subject or pattern of a subscription.</summary>
    public ReadOnlySpan<byte> Subject { get; init; }

    /// <summary>The reply subject of a message; empty if there is none.</summary>
    public ReadOnlySpan<byte> ReplyTo { get; init; }

    /// <summary>The queue group of a subscription; empty if there is none.</summary>
    public ReadOnlySpan<byte> QueueGroup { get; init; }

    /// <summary>How many members the queue group of a subscription has, 0 and up; 1 for a frame without one.</summary>
    public int Weight { get; init; }

    /// <summary>The queue groups of a message, one member of each of which receives it, with separators between them: see <see cref="NextQueueGroup"/>.
    /// Empty for a message to subscriptions without a group.</summary>
    public ReadOnlySpan<byte> QueueGroups { get; init; }

    /// <summary>The text after INFO, CONNECT or -ERR, without the spaces before it and the line's end.</summary>
    public ReadOnlySpan<byte> Text { get; init; }

    /// <summary>The header block of a message; empty if it has none.</summary>
    public ReadOnlySpan<byte> Headers { get; init; }

    /// <summary>The payload of a message without headers and without the last CR LF.</summary>
    public ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>Takes the first queue group from a list of them.</summary>
    /// <param name="groups">The rest of <see cref="QueueGroups"/>; afterwards the rest after the group.</param>
    /// <param name="group">The group's name; empty at the end.</param>
    /// <returns>False at the end.</returns>
    public static bool NextQueueGroup(scoped ref ReadOnlySpan<byte> groups, out ReadOnlySpan<byte> group)
    {
        var start = groups.IndexOfAnyExcept((byte)' ', (byte)'\t', (byte)'\r');
        if (start < 0)
        {
            group = groups = [];
            return false;
        }
        var rest = groups[start..];
        var length = rest.IndexOfAny((byte)' ', (byte)'\t', (byte)'\r');
        group = length < 0 ? rest : rest[..length];
        groups = rest[group.Length..];
        return true;
    }
}
