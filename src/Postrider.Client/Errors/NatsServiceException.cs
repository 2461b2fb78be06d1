namespace Postrider.Client;

/// <summary>A service answered a request with an error.</summary>
/// <param name="serviceCode">The service's own code, by custom a number as of HTTP.</param>
/// <param name="description">The service's text.</param>
/// <remarks>Thrown to the caller; a service endpoint throws it to answer so. Source: NATS ADR-32.</remarks>
public sealed class NatsServiceException(int serviceCode, string description)
    : NatsClientException(NatsErrorCode.ServiceError, $"{description} ({serviceCode})")
{
    /// <summary>The service's own code.</summary>
    public int ServiceCode { get; } = serviceCode;

    /// <summary>The service's text.</summary>
    public string Description { get; } = description;
}
