namespace System.ServiceModel;

/// <summary>How many objects a service has. Here it has the one that <c>Serve</c> is given.</summary>
public enum InstanceContextMode
{
    /// <summary>One for each session.</summary>
    PerSession,

    /// <summary>One for each call.</summary>
    PerCall,

    /// <summary>One for all calls, as here.</summary>
    Single,
}
