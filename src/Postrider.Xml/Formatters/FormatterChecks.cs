using Postrider.Xml.Elements;

namespace Postrider.Xml.Formatters;

/// <summary>Called by generated formatters of objects.</summary>
public static class FormatterChecks
{
    /// <summary>Rejects an object of a type that the contract does not list.</summary>
    /// <param name="type">The type.</param>
    /// <param name="declared">The declared type.</param>
    /// <exception cref="XmlDataException"><see cref="XmlError.UnknownType"/>, always.</exception>
    public static void ThrowUnknownType(Type type, Type declared)
        => throw new XmlDataException(XmlError.UnknownType, $"{type} is not a known type of {declared}: add [KnownType(typeof({type?.Name}))] to it.");
}
