namespace System.Runtime.CompilerServices;

/// <summary>The compiler needs this type to pass the receiver to an interpolated string handler on netstandard2.0.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class InterpolatedStringHandlerArgumentAttribute(string argument) : Attribute
{
    public string[] Arguments { get; } = [argument];
}
