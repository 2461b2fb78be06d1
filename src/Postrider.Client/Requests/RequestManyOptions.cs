using Postrider.Client.Sessions;

namespace Postrider.Client;

/// <summary>When to stop waiting for replies: whichever condition is met first.</summary>
public sealed record RequestManyOptions
{
    /// <summary>Maximum number of replies; 0 for no limit.</summary>
    public int MaxReplies { get; init; }

    /// <summary>Time limit after the request. Null for the client's request timeout.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Stop this long after the last reply, once there was one. Null or zero to disable.</summary>
    public TimeSpan? Idle { get; init; }

    /// <summary>Whether an empty reply ends the wait; it is not returned.</summary>
    public bool EmptyReplyEnds { get; init; }

    internal void Check()
    {
        if (MaxReplies < 0)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"{nameof(RequestManyOptions)}.{nameof(MaxReplies)} is {MaxReplies}; it must be at least 1, or 0 for no limit.");
        _ = TimeLimit.Checked(Timeout ?? default, $"{nameof(RequestManyOptions)}.{nameof(Timeout)}");
        _ = TimeLimit.Checked(Idle ?? default, $"{nameof(RequestManyOptions)}.{nameof(Idle)}");
    }
}
