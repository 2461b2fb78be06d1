namespace System.ServiceModel;

/// <summary>How WCF ran a service. It changes nothing here; the compiler warns where what it says is not what happens: PRR010.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ServiceBehaviorAttribute : Attribute
{
    /// <summary>How many objects there were.</summary>
    public InstanceContextMode InstanceContextMode { get; set; }

    /// <summary>How many calls each took at once.</summary>
    public ConcurrencyMode ConcurrencyMode { get; set; }

    /// <summary>The text of every exception was sent; here <c>EnableDetailedErrors</c> of the server's options does that.</summary>
    public bool IncludeExceptionDetailInFaults { get; set; }

    /// <summary>The service's name in WCF's WSDL; here it is the contract's.</summary>
    public string? Name { get; set; }

    /// <summary>The service's namespace in WCF's WSDL; here it is the contract's.</summary>
    public string? Namespace { get; set; }

    /// <summary>The service's name in WCF's configuration files, which are not read.</summary>
    public string? ConfigurationName { get; set; }

    /// <summary>Calls ran where the host was opened; here they run on the thread pool.</summary>
    public bool UseSynchronizationContext { get; set; } = true;

    /// <summary>Headers that have to be understood were looked for; here they always are.</summary>
    public bool ValidateMustUnderstand { get; set; } = true;

    /// <summary>The most objects in a message; here bytes are bounded.</summary>
    public int MaxItemsInObjectGraph { get; set; } = 65536;
}
