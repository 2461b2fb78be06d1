using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace Postrider.Wire.Frames;

/// <summary>Pulls frames of a connection between two servers from received bytes.</summary>
/// <remarks>
/// Not thread-safe; one parser per connection. It keeps no bytes, only its position, so the caller must pass the unread bytes
/// again together with more. Operation names are case-insensitive, arguments are separated by any number of spaces, tabs and CRs, a line
/// ends in LF with an optional CR. Source: nats-server, protocols of leaf nodes and routes.
/// </remarks>
public struct PeerFrameParser
{
    /// <summary>Maximum number of bytes of a line unless <see cref="MaxLineBytes"/> says otherwise: 16 times that of a client.</summary>
    public const int DefaultMaxLineBytes = 16 * FrameParser.DefaultMaxLineBytes;

    // An INFO lists a cluster's addresses and permissions and has no limit in the protocol.
    private const int MaxInfoBytes = 1024 * 1024;

    // The longest name, and a separator.
    private const int MaxNameBytes = 8;

    private static readonly (string Name, PeerFrameKind Kind)[] Common =
    [
        ("HMSG", PeerFrameKind.MessageWithHeaders), ("PING", PeerFrameKind.Ping), ("PONG", PeerFrameKind.Pong), ("INFO", PeerFrameKind.Info),
        ("CONNECT", PeerFrameKind.Connect), ("-ERR", PeerFrameKind.Error), ("+OK", PeerFrameKind.Ok),
    ];

    private static readonly (string Name, PeerFrameKind Kind)[] OfLeafNode =
        [("LMSG", PeerFrameKind.Message), ("LS+", PeerFrameKind.Subscribe), ("LS-", PeerFrameKind.Unsubscribe), .. Common];

    private static readonly (string Name, PeerFrameKind Kind)[] OfRoute =
    [
        ("RMSG", PeerFrameKind.Message), ("RS+", PeerFrameKind.Subscribe), ("RS-", PeerFrameKind.Unsubscribe), ("A+", PeerFrameKind.Account),
        ("A-", PeerFrameKind.Account), .. OfLeafNode,
    ];

    private readonly PeerKind _peer;
    private int _scanned;

    /// <summary>Creates a parser.</summary>
    /// <param name="peer">The kind of the connection.</param>
    public PeerFrameParser(PeerKind peer) => (_peer, HasAccounts) = (peer, peer == PeerKind.Route);

    /// <summary>Whether frames contain an account before the subject: by default on a route.</summary>
    public bool HasAccounts { get; set; }

    /// <summary>Whether LS- of a route contains the leaf node's cluster, as LS+ does. Servers before 2.11 omit it.</summary>
    public bool HasOriginsOfEnds { get; set; } = true;

    /// <summary>Whether the peer may send everything. Until it has authenticated, a message is returned without its arguments and its payload
    /// as soon as its name is read, so that nothing of it is stored, and an INFO is no longer than <see cref="MaxLineBytes"/>. Default
    /// true.</summary>
    public bool IsTrusted { get; set; } = true;

    /// <summary>Maximum number of bytes of a line, 1 and up. An INFO of a trusted peer may have 1 MiB.</summary>
    public int MaxLineBytes { get; set; } = DefaultMaxLineBytes;

    /// <summary>Maximum number of bytes of headers and payload; -1 for no limit. Below that every message is rejected.</summary>
    public int MaxPayloadBytes { get; set; } = FrameParser.DefaultMaxPayloadBytes;

    /// <summary>The error after <see cref="OperationStatus.InvalidData"/>.</summary>
    public FrameError Error { get; private set; }

    /// <summary>The error after <see cref="OperationStatus.InvalidData"/>, as one sentence without the peer's bytes; empty before.</summary>
    public string Problem { get; private set; } = "";

    /// <summary>After <see cref="OperationStatus.NeedMoreData"/>, the size of the whole frame if it is known, else 0.</summary>
    public int NeededBytes { get; private set; }

    /// <summary>Reads one frame from the front of <paramref name="input"/>.</summary>
    /// <param name="input">Bytes as received; on success it starts after the frame, otherwise it is unchanged and the parser remembers how far
    /// it scanned.</param>
    /// <param name="frame">Slices of <paramref name="input"/>: valid until the caller releases those bytes. Not copied.</param>
    /// <returns>
    /// <see cref="OperationStatus.Done"/> with a frame,
    /// <see cref="OperationStatus.NeedMoreData"/> when the frame is not complete,
    /// <see cref="OperationStatus.InvalidData"/> when no further byte can make it valid (see <see cref="Error"/> and <see cref="Problem"/>).
    /// </returns>
    public OperationStatus TryRead(ref ReadOnlySpan<byte> input, out PeerFrame frame)
    {
        frame = default;
        NeededBytes = 0;
        if (input.IsEmpty) return OperationStatus.NeedMoreData;
        var kind = ReadName(input, out var nameBytes, out var mayBecomeName);
        if (kind == PeerFrameKind.None)
            return mayBecomeName ? OperationStatus.NeedMoreData : Fail(FrameError.UnknownOperation, $"the bytes are not an operation of a {(_peer == PeerKind.Route ? "route" : "leaf node connection")}");
        if (!IsTrusted && (kind is PeerFrameKind.Message or PeerFrameKind.MessageWithHeaders))
        {
            frame = new PeerFrame { Kind = kind, Bytes = input[..nameBytes] };
            input = input[nameBytes..];
            return OperationStatus.Done;
        }
        var limit = kind == PeerFrameKind.Info && IsTrusted ? Math.Max(MaxInfoBytes, MaxLineBytes) : MaxLineBytes;
        var found = input[_scanned..].IndexOf((byte)'\n');
        if ((found < 0 ? input.Length : _scanned + found) - nameBytes > limit + 2)
            return Fail(FrameError.LineTooLong, $"a line exceeds {limit} bytes");
        if (found < 0)
        {
            _scanned = input.Length;
            return OperationStatus.NeedMoreData;
        }
        var lineEnd = _scanned + found;
        var arguments = Trim(input[nameBytes..lineEnd]);
        if (kind is PeerFrameKind.Message or PeerFrameKind.MessageWithHeaders)
        {
            var status = ReadMessage(input, kind, arguments, lineEnd + 1, out frame);
            if (status == OperationStatus.Done) input = input[frame.Bytes.Length..];
            return status;
        }
        var whole = input[..(lineEnd + 1)];
        switch (kind)
        {
            case PeerFrameKind.Subscribe or PeerFrameKind.Unsubscribe:
                if (!TryReadInterest(kind, arguments, whole, out frame)) return OperationStatus.InvalidData;
                break;
            case PeerFrameKind.Info or PeerFrameKind.Connect or PeerFrameKind.Error:
                frame = new PeerFrame { Kind = kind, Bytes = whole, Text = arguments };
                break;
            default:
                frame = new PeerFrame { Kind = kind, Bytes = whole };
                break;
        }
        _scanned = 0;
        input = input[whole.Length..];
        return OperationStatus.Done;
    }

    private readonly PeerFrameKind ReadName(ReadOnlySpan<byte> input, out int nameBytes, out bool mayBecomeName)
    {
        mayBecomeName = false;
        var head = input[..Math.Min(input.Length, MaxNameBytes)];
        foreach (var (name, kind) in _peer == PeerKind.Route ? OfRoute : OfLeafNode)
        {
            var known = Math.Min(name.Length, head.Length);
            if (!Ascii.EqualsIgnoreCase(head[..known], name.AsSpan(0, known))) continue;
            if (head.Length <= name.Length)
            {
                // Whether the name ends here is not known yet.
                mayBecomeName = true;
                continue;
            }
            if (!IsSeparator(head[name.Length]) && head[name.Length] != '\n') continue;
            nameBytes = name.Length;
            return kind;
        }
        nameBytes = 0;
        return PeerFrameKind.None;
    }

    private OperationStatus ReadMessage(ReadOnlySpan<byte> input, PeerFrameKind kind, ReadOnlySpan<byte> arguments, int payloadStart, out PeerFrame frame)
    {
        frame = default;
        // A leaf node's message on a route always has both sizes.
        var isOfLeafNode = IsOfLeafNode(input);
        var hasHeaders = kind == PeerFrameKind.MessageWithHeaders || isOfLeafNode;
        var rest = arguments;
        var sizeText = TakeLast(ref rest);
        var headerText = hasHeaders ? TakeLast(ref rest) : [];
        var origin = isOfLeafNode ? TakeFirst(ref rest) : [];
        var account = HasAccounts ? TakeFirst(ref rest) : [];
        if (!TryReadRoute(rest, out var subject, out var replyTo, out var groups)) return OperationStatus.InvalidData;
        if (!TryParseSize(sizeText, out var size)) return Fail(FrameError.WrongSize, "the size of a message is not a number of at most nine digits");
        var headerBytes = 0;
        if (hasHeaders && !TryParseSize(headerText, out headerBytes)) return Fail(FrameError.WrongSize, "the size of a message's headers is not a number of at most nine digits");
        if (headerBytes > size) return Fail(FrameError.WrongSize, $"the headers of a message have {headerBytes} bytes, more than the whole of {size}");
        if (MaxPayloadBytes != -1 && size > MaxPayloadBytes) return Fail(FrameError.PayloadTooLarge, $"a message of {size} bytes exceeds max_payload {MaxPayloadBytes}");
        var end = payloadStart + size;
        if ((input.Length > end && input[end] != '\r') || (input.Length > end + 1 && input[end + 1] != '\n'))
            return Fail(FrameError.UnknownOperation, "the payload of a message does not end in CR LF");
        if (input.Length < end + 2)
        {
            _scanned = payloadStart - 1;
            NeededBytes = end + 2;
            return OperationStatus.NeedMoreData;
        }
        frame = new PeerFrame
        {
            Kind = headerBytes > 0 ? PeerFrameKind.MessageWithHeaders : kind,
            Bytes = input[..(end + 2)],
            Origin = origin,
            IsOfLeafNode = isOfLeafNode,
            Account = account,
            Subject = subject,
            ReplyTo = replyTo,
            QueueGroups = groups,
            Headers = input.Slice(payloadStart, headerBytes),
            Payload = input[(payloadStart + headerBytes)..end],
        };
        _scanned = 0;
        return OperationStatus.Done;
    }

    // The part before the sizes: the subject, optionally a reply subject, or a mark and queue groups.
    private bool TryReadRoute(ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> subject, out ReadOnlySpan<byte> replyTo, out ReadOnlySpan<byte> groups)
    {
        replyTo = groups = [];
        subject = TakeFirst(ref rest);
        if (subject.IsEmpty) return Refuse(FrameError.WrongArguments, "a message needs a subject and its size");
        var second = TakeFirst(ref rest);
        if (rest.IsEmpty)
        {
            replyTo = second;
            return true;
        }
        if (second is [(byte)'+'])
        {
            replyTo = TakeFirst(ref rest);
            if (rest.IsEmpty) return Refuse(FrameError.WrongArguments, "a message with '+' needs a reply subject and queue groups");
        }
        else if (second is not [(byte)'|'])
        {
            return Refuse(FrameError.WrongArguments, "a message with queue groups needs '+' or '|' after its subject");
        }
        groups = rest;
        return true;
    }

    private bool TryReadInterest(PeerFrameKind kind, ReadOnlySpan<byte> arguments, ReadOnlySpan<byte> whole, out PeerFrame frame)
    {
        frame = default;
        var name = Encoding.ASCII.GetString(whole[..3]).ToUpperInvariant();
        var isOfLeafNode = IsOfLeafNode(whole);
        var origin = isOfLeafNode && (HasOriginsOfEnds || kind == PeerFrameKind.Subscribe) ? TakeFirst(ref arguments) : [];
        var account = HasAccounts ? TakeFirst(ref arguments) : [];
        var subject = TakeFirst(ref arguments);
        var group = TakeFirst(ref arguments);
        var weight = 1;
        if (subject.IsEmpty) return Refuse(FrameError.WrongArguments, $"{name} needs {(HasAccounts ? "an account and a subject" : "a subject")}");
        if (!group.IsEmpty && kind == PeerFrameKind.Subscribe)
        {
            var text = TakeFirst(ref arguments);
            if (text.IsEmpty) return Refuse(FrameError.WrongArguments, $"{name} with a queue group needs the group's weight");
            if (!TryParseSize(text, out weight)) return Refuse(FrameError.WrongSize, "the weight of a queue group is not a number of at most nine digits");
        }
        if (!arguments.IsEmpty) return Refuse(FrameError.WrongArguments, $"{name} has too many arguments");
        frame = new PeerFrame { Kind = kind, Bytes = whole, Origin = origin, IsOfLeafNode = isOfLeafNode, Account = account, Subject = subject, QueueGroup = group, Weight = weight };
        return true;
    }

    // On a route, the operations of leaf nodes refer to those of the other server.
    private readonly bool IsOfLeafNode(ReadOnlySpan<byte> frame) => _peer == PeerKind.Route && (frame[0] | 0x20) == 'l';

    private OperationStatus Fail(FrameError error, string problem)
    {
        (Error, Problem) = (error, problem);
        return OperationStatus.InvalidData;
    }

    private bool Refuse(FrameError error, string problem)
    {
        Fail(error, problem);
        return false;
    }

    private static ReadOnlySpan<byte> Trim(ReadOnlySpan<byte> line) => line.Trim(" \t\r"u8);

    private static bool IsSeparator(byte value) => value is (byte)' ' or (byte)'\t' or (byte)'\r';

    private static ReadOnlySpan<byte> TakeFirst(scoped ref ReadOnlySpan<byte> rest)
    {
        var length = rest.IndexOfAny((byte)' ', (byte)'\t', (byte)'\r');
        var first = length < 0 ? rest : rest[..length];
        rest = length < 0 ? [] : rest[length..].TrimStart(" \t\r"u8);
        return first;
    }

    private static ReadOnlySpan<byte> TakeLast(scoped ref ReadOnlySpan<byte> rest)
    {
        var start = rest.LastIndexOfAny((byte)' ', (byte)'\t', (byte)'\r') + 1;
        var last = rest[start..];
        rest = rest[..start].TrimEnd(" \t\r"u8);
        return last;
    }

    private static bool TryParseSize(ReadOnlySpan<byte> text, out int value)
    {
        value = 0;
        return text.Length is > 0 and <= 9 && !text.ContainsAnyExceptInRange((byte)'0', (byte)'9')
            && Utf8Parser.TryParse(text, out value, out var used) && used == text.Length;
    }
}
