using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Leafs;

/// <summary>The permissions of a leaf node connection in each direction. Replaced as a whole.</summary>
/// <remarks>JetStream's subjects do not cross: the other side's JetStream is reached by its domain. Source: nats-server, JetStream over leaf nodes.</remarks>
internal sealed class LeafPermissions
{
    /// <summary>Before the handshake: nothing is restricted, and nothing is sent.</summary>
    public static readonly LeafPermissions None = new(LeafSubjects.Everything, LeafSubjects.Everything, LeafSubjects.Everything, LeafSubjects.Everything, null);

    private static readonly string[] JetStreamSubjects = ["$JS.API.>", "$KV.>", "$OBJ.>"];
    private static readonly string[] SystemJetStreamSubjects = ["$JSC.>", "$NRG.>", "$JS.API.>", "$KV.>", "$OBJ.>"];

    private readonly LeafSubjects _user;
    private readonly LeafSubjects _send;
    private readonly LeafSubjects _interest;
    private readonly LeafSubjects _receive;
    private readonly ReplyPermissions? _replies;
    private readonly bool _isSpoke;

    private LeafPermissions(LeafSubjects user, LeafSubjects send, LeafSubjects interest, LeafSubjects receive, ReplyPermissions? replies, bool isSpoke = false)
        => (_user, _send, _interest, _receive, _replies, _isSpoke) = (user, send, interest, receive, replies, isSpoke);

    /// <summary>The permissions of an accepted connection: its user's, from this side's point of view.</summary>
    public static LeafPermissions OfAccepted(LeafSession session, LeafContext context)
    {
        var options = session.User?.Permissions?.Options;
        var send = LeafSubjects.Create(options?.Subscribe?.Allow is { Count: > 0 } allow ? allow : null, options?.Subscribe?.Deny).Deny(session.ConnectInfo?.DenyImports ?? []);
        var publish = LeafSubjects.Create(options?.Publish?.Allow ?? (options?.Responses is null ? null : []), options?.Publish?.Deny);
        var replies = options?.Responses is { } responses ? new ReplyPermissions(responses, context.Time) : null;
        return new LeafPermissions(send, DenyOutgoing(send, session, context), DenyJetStream(publish, session), publish, replies, session.IsSpoke);
    }

    /// <summary>The permissions of a solicited connection: those that the other server sent, and those that the remote's options deny.</summary>
    public static LeafPermissions OfSolicited(LeafSession session, LeafContext context, ServerInfo? info)
    {
        var remote = session.Remote!.Options;
        var send = LeafSubjects.Create(info?.Export?.Allow, info?.Export?.Deny).Deny(remote.DenyExports);
        var receive = LeafSubjects.Create(info?.Import?.Allow is { Length: > 0 } allow ? allow : null, info?.Import?.Deny).Deny(remote.DenyImports);
        receive = DenyJetStream(receive, session);
        return new LeafPermissions(send, DenyOutgoing(send, session, context), receive, receive, null, session.IsSpoke);
    }

    /// <summary>Whether a message may be sent. Where only responses are allowed, this permits the other server's response.</summary>
    public bool MaySend(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo)
    {
        if (!_send.AllowsMessage(subject)) return false;
        if (!replyTo.IsEmpty) _replies?.Add(replyTo);
        return true;
    }

    /// <summary>Whether the other server may subscribe to a subject; a pattern is allowed, and each of its messages is checked.</summary>
    public bool MaySendInterest(ReadOnlySpan<byte> subject) => Subject.HasWildcard(subject) || IsInternal(subject) || _send.AllowsMessage(subject);

    /// <summary>Whether the user may subscribe to a subject that does not cross because of JetStream.</summary>
    public bool IsAllowedToUser(ReadOnlySpan<byte> subject) => _user.AllowsMessage(subject);

    /// <summary>Whether interest in a subject is announced to the other server.</summary>
    public bool MayReceiveInterest(ReadOnlySpan<byte> subject) => _interest.AllowsInterest(subject);

    /// <summary>Whether a message may be received.</summary>
    public bool MayReceive(ReadOnlySpan<byte> subject)
        => IsReply(subject) || (_isSpoke && IsOfGateways(subject)) || _receive.AllowsMessage(subject) || _replies?.TryUse(subject) == true;

    /// <summary>Whether two sets of a user's permissions allow the same.</summary>
    public static bool AreSame(PermissionOptions? one, PermissionOptions? other)
    {
        if (one is null || other is null) return one is null && other is null;
        return AreSame(one.Publish, other.Publish) && AreSame(one.Subscribe, other.Subscribe) && Equals(one.Responses, other.Responses);
    }

    private static bool AreSame(SubjectPermission? one, SubjectPermission? other)
        => (one is null) == (other is null) && AreSame(one?.Allow, other?.Allow) && AreSame(one?.Deny, other?.Deny);

    private static bool AreSame(IReadOnlyList<string>? one, IReadOnlyList<string>? other)
        => (one is null) == (other is null) && (one ?? []).SequenceEqual(other ?? [], StringComparer.Ordinal);

    private static bool IsInternal(ReadOnlySpan<byte> subject) => IsReply(subject) || IsOfGateways(subject) || PeerInterest.IsLoopSubject(subject);

    // Responses of other accounts' services, and acknowledgements, need no permission.
    private static bool IsReply(ReadOnlySpan<byte> subject) => subject.StartsWith("_R_."u8) || subject.StartsWith("$JS.ACK."u8);

    // Responses that pass through another cluster, which only a hub sends without permission.
    private static bool IsOfGateways(ReadOnlySpan<byte> subject) => subject.StartsWith("_GR_."u8) || subject.StartsWith("$GR."u8);

    // Without a domain, requests cross unchanged if the configuration allows it.
    private static LeafSubjects DenyJetStream(LeafSubjects subjects, LeafSession session)
        => session.Account.DefaultDomain is { Length: 0 } ? subjects : subjects.Deny(session.Account.IsSystem ? SystemJetStreamSubjects : JetStreamSubjects);

    // Requests to this broker's own domain stay here, even if the other server has a domain with the same name.
    private static LeafSubjects DenyOutgoing(LeafSubjects subjects, LeafSession session, LeafContext context)
    {
        var denied = DenyJetStream(subjects, session);
        if (session.Account.DefaultDomain is { Length: 0 }) return denied;
        return context.Sessions.Info.Domain is { Length: > 0 } domain ? denied.Deny([$"$JS.{domain}.API.>"]) : denied;
    }
}
