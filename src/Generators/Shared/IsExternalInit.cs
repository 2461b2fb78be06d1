namespace System.Runtime.CompilerServices;

/// <summary>The compiler needs this type to give records init-only properties on netstandard2.0.</summary>
internal static class IsExternalInit;
