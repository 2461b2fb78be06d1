namespace System.Runtime.CompilerServices;

/// <summary>What the compiler asks for to take interpolated strings apart on netstandard2.0.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
internal sealed class InterpolatedStringHandlerAttribute : Attribute;
