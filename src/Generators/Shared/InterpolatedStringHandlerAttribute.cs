namespace System.Runtime.CompilerServices;

/// <summary>The compiler needs this type to take interpolated strings apart on netstandard2.0.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
internal sealed class InterpolatedStringHandlerAttribute : Attribute;
