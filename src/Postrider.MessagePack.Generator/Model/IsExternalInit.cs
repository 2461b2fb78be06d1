namespace System.Runtime.CompilerServices;

/// <summary>What the compiler asks for to give records init-only properties on netstandard2.0.</summary>
internal static class IsExternalInit;
