namespace System.ServiceModel;

/// <summary>Marks an interface as a contract: the source generator creates its client and its service.</summary>
/// <remarks>For <c>IOrders</c> the generator creates <c>OrdersClient</c> and <c>OrdersContract</c>, as for Postrider.Rpc's own
/// attribute.</remarks>
[AttributeUsage(AttributeTargets.Interface)]
public sealed class ServiceContractAttribute : Attribute
{
    /// <summary>The service's name; null for the interface's.</summary>
    public string? Name { get; set; }

    /// <summary>The contract's namespace in XML; null for <c>http://tempuri.org/</c>.</summary>
    public string? Namespace { get; set; }

    /// <summary>Used by WCF's configuration files; it has no effect.</summary>
    public string? ConfigurationName { get; set; }

    /// <summary>Whether sessions are allowed; <see cref="SessionMode.Required"/> is a compile-time error (PRR009).</summary>
    public SessionMode SessionMode { get; set; }

    /// <summary>The callback contract of WCF's service. Setting it is a compile-time error that suggests an alternative
    /// (PRR009).</summary>
    public Type? CallbackContract { get; set; }
}
