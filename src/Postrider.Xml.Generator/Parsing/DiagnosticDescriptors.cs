using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>The diagnostics of contexts and of the types that they reach.</summary>
internal static class DiagnosticDescriptors
{
    internal static readonly DiagnosticDescriptor NotSerializable = Error(
        1, "Type has no XML", "{0}, which {1} needs, cannot be written as XML: use a class with public members, a data contract, a collection or a scalar");

    internal static readonly DiagnosticDescriptor WrongContext = Error(2, "Context cannot be completed", "{0} cannot be completed: {1}");

    internal static readonly DiagnosticDescriptor NotAccessible = Error(
        3, "Member is not accessible", "{0} is not accessible from {1}: make it internal or public, with a getter");

    internal static readonly DiagnosticDescriptor NoConstructor = Error(
        4, "Object has no constructor that fits",
        "{0} has no accessible constructor whose parameters all match members by name and type; a [DataContract] needs none");

    internal static readonly DiagnosticDescriptor DuplicateName = Error(
        5, "Element name is used twice", "Element name '{0}' of {1} is used twice: rename one of the members");

    internal static readonly DiagnosticDescriptor IsReference = Error(
        6, "Data contract is written by reference",
        "{0} has IsReference, but objects are written in full each time they occur: remove it, and make sure that no object contains itself");

    internal static readonly DiagnosticDescriptor NeverSet = Error(
        7, "Member cannot be set",
        "{0} is written and could not be read: add a setter, which may be private (in a generic class one that the context can reach), or a constructor parameter");

    internal static readonly DiagnosticDescriptor[] All =
        [NotSerializable, WrongContext, NotAccessible, NoConstructor, DuplicateName, IsReference, NeverSet];

    private static DiagnosticDescriptor Error(int number, string title, string message)
        => DescriptorFactory.FixedError($"PXM{number:000}", "Postrider.Xml", title, message);
}
