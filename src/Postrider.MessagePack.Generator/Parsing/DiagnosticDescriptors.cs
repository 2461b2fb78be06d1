using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>The diagnostics of contexts and of the types that they reach.</summary>
internal static class DiagnosticDescriptors
{
    internal static readonly DiagnosticDescriptor NotSerializable = Error(
        1, "Type has no formatter",
        "{0}, which {1} needs, has no formatter: mark it with [MessagePackObject], list its types with [Union], or name a formatter with [MessagePackFormatter]");

    internal static readonly DiagnosticDescriptor NoKey = Error(
        2, "Member has no key", "{0} of {1} has no [Key]: add one, or [IgnoreMember], or mark the type with [MessagePackObject(true)]");

    internal static readonly DiagnosticDescriptor DuplicateKey = Error(3, "Key is used twice", "Key {0} of {1} is used by {2}");

    internal static readonly DiagnosticDescriptor MixedKeys = Error(4, "Keys do not fit together", "{0}: {1}");

    internal static readonly DiagnosticDescriptor NoConstructor = Error(
        5, "Object has no constructor that fits", "{0} has no accessible constructor whose parameters all match members by name or index, and by type");

    internal static readonly DiagnosticDescriptor WrongUnion = Error(6, "Union cannot be read", "{0}: {1}");

    internal static readonly DiagnosticDescriptor WrongContext = Error(7, "Context cannot be completed", "{0} cannot be completed: {1}");

    internal static readonly DiagnosticDescriptor NotAccessible = Error(
        8, "Member is not accessible", "{0} is not accessible from {1}: make it internal or public, with a getter");

    internal static readonly DiagnosticDescriptor WrongFormatter = Error(
        9, "Formatter does not fit", "{0} is not a struct that implements IMessagePackFormatter<{1}>");

    internal static readonly DiagnosticDescriptor NotSettable = Error(
        10, "Member cannot be set", "{0} of {1} is written, but nothing can set it when it is read: give it a setter or init, or a parameter of the constructor, or [IgnoreMember]");

    internal static readonly DiagnosticDescriptor[] All =
        [NotSerializable, NoKey, DuplicateKey, MixedKeys, NoConstructor, WrongUnion, WrongContext, NotAccessible, WrongFormatter, NotSettable];

    private static DiagnosticDescriptor Error(int number, string title, string message)
        => DescriptorFactory.FixedError($"PMP{number:000}", "Postrider.MessagePack", title, message);
}
