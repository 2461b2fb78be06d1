namespace Postrider.Client;

/// <summary>A service replied to a request with an error.</summary>
/// <param name="serviceCode">The code of the service, by convention an HTTP status.</param>
/// <param name="description">The description of the error.</param>
/// <remarks>Thrown to the caller; a service endpoint throws it to reply with an error. Source: NATS ADR-32.</remarks>
public sealed class NatsServiceException(int serviceCode, string description)
    : NatsClientException(NatsErrorCode.ServiceError, $"{description} ({serviceCode})")
{
    /// <summary>The code of the service.</summary>
    public int ServiceCode { get; } = serviceCode;

    /// <summary>The description of the error.</summary>
    public string Description { get; } = description;
}
