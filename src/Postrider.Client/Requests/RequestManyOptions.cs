namespace Postrider.Client;

/// <summary>When enough replies have come. Whatever comes first ends the wait.</summary>
public sealed record RequestManyOptions
{
    /// <summary>After so many replies; 0 for no such end.</summary>
    public int MaxReplies { get; init; }

    /// <summary>So long after the request. Null takes the client's request timeout.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>So long after the newest reply, once there was one. Null or zero for no such end.</summary>
    public TimeSpan? Idle { get; init; }

    /// <summary>Whether a reply without a payload ends the wait and is not handed out.</summary>
    public bool EmptyReplyEnds { get; init; }
}
