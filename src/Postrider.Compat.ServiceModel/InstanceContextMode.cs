namespace System.ServiceModel;

/// <summary>How many objects a service has. Postrider uses the one object passed to <c>Serve</c>.</summary>
public enum InstanceContextMode
{
    /// <summary>One object per session.</summary>
    PerSession,

    /// <summary>One object per call.</summary>
    PerCall,

    /// <summary>One object for all calls, as in Postrider.</summary>
    Single,
}
