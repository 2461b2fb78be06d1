namespace Postrider.Broker.Accounts;

/// <summary>The route of the responses to one request. Guarded by its <see cref="ReplyRoutes"/>.</summary>
/// <param name="subject">The subject that stands for the requester's in the answering account.</param>
/// <param name="replyTo">The requester's reply subject, in its own account.</param>
internal sealed class ReplyRoute(byte[] subject, byte[] replyTo)
{
    /// <summary>The subject that stands for the requester's in the answering account.</summary>
    public byte[] Subject { get; } = subject;

    /// <summary>The requester's reply subject, in its own account.</summary>
    public byte[] ReplyTo { get; } = replyTo;

    /// <summary>When the request or the last response arrived, as a timestamp of the broker's clock.</summary>
    public long TouchedAt { get; set; }

    /// <summary>The route touched before this one.</summary>
    public ReplyRoute? Older { get; set; }

    /// <summary>The route touched after this one.</summary>
    public ReplyRoute? Newer { get; set; }

    /// <summary>Another route to the same reply subject.</summary>
    public ReplyRoute? NextOfReply { get; set; }

    /// <summary>The route whose <see cref="NextOfReply"/> this is.</summary>
    public ReplyRoute? PreviousOfReply { get; set; }

    /// <summary>Measures the response; null where it is not measured.</summary>
    public LatencySample? Sample { get; init; }

    /// <summary>Whether it carries traces of the request: each server that the request reaches sends one.</summary>
    public bool IsOfTrace { get; init; }
}
