namespace Postrider.Broker.Accounts;

/// <summary>Why a measured request has no answer; the values are those of the measurement's <c>status</c>.</summary>
internal enum LatencyOutcome
{
    /// <summary>It had no reply subject.</summary>
    NoReply = 400,

    /// <summary>The requester stopped listening.</summary>
    InterestLost = 408,

    /// <summary>Nobody listens to the service.</summary>
    NoResponders = 503,

    /// <summary>The answer did not come in time.</summary>
    TimedOut = 504,
}
