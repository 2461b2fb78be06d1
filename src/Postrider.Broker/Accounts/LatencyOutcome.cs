namespace Postrider.Broker.Accounts;

/// <summary>Why a measured request has no response; the values are those of the measurement's <c>status</c>.</summary>
internal enum LatencyOutcome
{
    /// <summary>It had no reply subject.</summary>
    NoReply = 400,

    /// <summary>The requester stopped listening.</summary>
    InterestLost = 408,

    /// <summary>The service has no subscriber.</summary>
    NoResponders = 503,

    /// <summary>The response did not arrive in time.</summary>
    TimedOut = 504,
}
