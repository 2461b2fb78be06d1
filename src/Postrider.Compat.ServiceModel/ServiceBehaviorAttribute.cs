namespace System.ServiceModel;

/// <summary>WCF's runtime settings of a service. They have no effect; the compiler warns when a setting differs from the actual behavior
/// (PRR010).</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ServiceBehaviorAttribute : Attribute
{
    /// <summary>How many service objects WCF used.</summary>
    public InstanceContextMode InstanceContextMode { get; set; }

    /// <summary>How many calls each object handled concurrently.</summary>
    public ConcurrencyMode ConcurrencyMode { get; set; }

    /// <summary>Whether exception messages were sent to callers. Use <c>EnableDetailedErrors</c> of the server options instead.</summary>
    public bool IncludeExceptionDetailInFaults { get; set; }

    /// <summary>The service's name in WCF's WSDL. Postrider uses the contract's name.</summary>
    public string? Name { get; set; }

    /// <summary>The service's namespace in WCF's WSDL. Postrider uses the contract's namespace.</summary>
    public string? Namespace { get; set; }

    /// <summary>The service's name in WCF's configuration files, which are not read.</summary>
    public string? ConfigurationName { get; set; }

    /// <summary>Whether calls ran on the synchronization context of the host. Postrider runs them on the thread pool.</summary>
    public bool UseSynchronizationContext { get; set; } = true;

    /// <summary>Whether mandatory headers were checked. Postrider always checks them.</summary>
    public bool ValidateMustUnderstand { get; set; } = true;

    /// <summary>The maximum number of objects in a message. Postrider limits bytes instead.</summary>
    public int MaxItemsInObjectGraph { get; set; } = 65536;
}
