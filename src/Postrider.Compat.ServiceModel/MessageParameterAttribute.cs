namespace System.ServiceModel;

/// <summary>Sets the name of a parameter or a result on the wire.</summary>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.ReturnValue)]
public sealed class MessageParameterAttribute : Attribute
{
    /// <summary>The name; null for the parameter's name, or the operation's name followed by Result.</summary>
    public string? Name { get; set; }
}
