namespace System.ServiceModel;

/// <summary>Makes an interface a contract: the generator writes its client and its endpoint.</summary>
/// <remarks>Of <c>IOrders</c> come <c>OrdersClient</c> and <c>OrdersContract</c>, as with Postrider.Rpc's own attribute.</remarks>
[AttributeUsage(AttributeTargets.Interface)]
public sealed class ServiceContractAttribute : Attribute
{
    /// <summary>The service's name; null for the interface's.</summary>
    public string? Name { get; set; }

    /// <summary>The contract's namespace in XML; null for <c>http://tempuri.org/</c>.</summary>
    public string? Namespace { get; set; }

    /// <summary>Carried by WCF's configuration files; it means nothing here.</summary>
    public string? ConfigurationName { get; set; }

    /// <summary>Whether calls of one caller belong together; <see cref="SessionMode.Required"/> the compiler refuses, PRR009.</summary>
    public SessionMode SessionMode { get; set; }

    /// <summary>The contract by which WCF's service called its callers; the compiler refuses it and says what to write, PRR009.</summary>
    public Type? CallbackContract { get; set; }
}
