using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client.Requests;

/// <summary>A request that waits for its reply.</summary>
internal abstract class PendingReply
{
    /// <summary>The slot in the table; the last token of the reply subject.</summary>
    public long Token { get; set; }

    /// <summary>When it times out, as a timestamp of the clock.</summary>
    public long Deadline { get; protected set; }

    /// <summary>The request's subject.</summary>
    public string Subject { get; protected set; } = "";

    /// <summary>Takes the reply. On the receiving thread.</summary>
    public abstract void Complete(in Frame frame, NatsSession session);

    /// <summary>Ends the wait.</summary>
    public abstract void Fail(Exception error);

    /// <summary>The error of a request without a reply in time.</summary>
    public abstract NatsClientException TimeoutError(NatsSession session);
}
