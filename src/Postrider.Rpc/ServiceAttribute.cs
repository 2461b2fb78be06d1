namespace Postrider.Rpc;

/// <summary>Marks an interface as a contract: the source generator creates its client and its service.</summary>
/// <param name="name">The service's name on the wire; null for the interface's name without the leading I.</param>
/// <remarks>For <c>IOrders</c> the generator creates <c>OrdersClient</c>, which implements it over an <c>RpcChannel</c>, and
/// <c>OrdersContract</c>, whose <c>Serve</c> creates a service from an implementation.</remarks>
[AttributeUsage(AttributeTargets.Interface)]
public sealed class ServiceAttribute(string? name = null) : Attribute
{
    /// <summary>The name, or null.</summary>
    public string? Name { get; } = name;

    /// <summary>The contract's namespace in XML and SOAP; null for <c>http://tempuri.org/</c>.</summary>
    public string? Namespace { get; set; }

    /// <summary>The version shown by discovery, for example 1.2.3.</summary>
    public string Version { get; set; } = "1.0.0";
}
