namespace Postrider.Rpc;

/// <summary>Marks an interface as a contract: the source generator creates its client and its service.</summary>
/// <param name="name">The service's name on the wire; null for the interface's without its leading I.</param>
/// <remarks>Of <c>IOrders</c> come <c>OrdersClient</c>, which implements it over an <c>RpcChannel</c>, and <c>OrdersContract</c>,
/// whose <c>Serve</c> makes an endpoint of an implementation.</remarks>
[AttributeUsage(AttributeTargets.Interface)]
public sealed class ServiceAttribute(string? name = null) : Attribute
{
    /// <summary>The name as given, or null.</summary>
    public string? Name { get; } = name;

    /// <summary>The contract's namespace in XML and SOAP; null for <c>http://tempuri.org/</c>.</summary>
    public string? Namespace { get; set; }

    /// <summary>The version that discovery shows, of the form 1.2.3.</summary>
    public string Version { get; set; } = "1.0.0";
}
