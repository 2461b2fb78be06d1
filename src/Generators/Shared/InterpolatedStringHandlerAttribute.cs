namespace System.Runtime.CompilerServices;

/// <summary>The compiler needs this type to split interpolated strings on netstandard2.0.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
internal sealed class InterpolatedStringHandlerAttribute : Attribute;
