namespace System.ServiceModel;

/// <summary>Gives a parameter or a result another name on the wire.</summary>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.ReturnValue)]
public sealed class MessageParameterAttribute : Attribute
{
    /// <summary>The name; null for the parameter's name, or the operation's name followed by Result.</summary>
    public string? Name { get; set; }
}
