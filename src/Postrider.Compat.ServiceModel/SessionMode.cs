namespace System.ServiceModel;

/// <summary>Whether calls of one caller belong together. Here none do.</summary>
public enum SessionMode
{
    /// <summary>They may.</summary>
    Allowed,

    /// <summary>They do: the compiler refuses it, PRR009.</summary>
    Required,

    /// <summary>They do not.</summary>
    NotAllowed,
}
