namespace Postrider.Serialization;

/// <summary>The kinds of <see cref="IServiceFailure"/> that are not the fault of the code that called the service.</summary>
public enum ServiceFailureKind
{
    /// <summary>Any other failure.</summary>
    Other = 0,

    /// <summary>The service or the connection to it is not available, or has no room for the call: try again later.</summary>
    Unavailable = 1,

    /// <summary>The response came too late, or not at all.</summary>
    Timeout = 2,

    /// <summary>The state of the service has changed in the meantime.</summary>
    Conflict = 3,
}
