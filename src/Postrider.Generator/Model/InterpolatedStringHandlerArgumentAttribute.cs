namespace System.Runtime.CompilerServices;

/// <summary>What the compiler asks for to hand the receiver to an interpolated string's handler on netstandard2.0.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class InterpolatedStringHandlerArgumentAttribute(string argument) : Attribute
{
    public string[] Arguments { get; } = [argument];
}
