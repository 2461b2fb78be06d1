using System.Globalization;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Postrider.Generators;

/// <summary>A diagnostic that was found while symbols were read.</summary>
/// <param name="Descriptor">The rule.</param>
/// <param name="At">The member or type that it is about: its own location if it is in source, otherwise the declaration that led to it.</param>
/// <param name="Arguments">The arguments of the message.</param>
internal sealed record DiagnosticInfo(DiagnosticDescriptor Descriptor, ISymbol At, string[] Arguments)
{
    internal Diagnostic ToDiagnostic() => Diagnostic.Create(Descriptor, At.Locations.FirstOrDefault(l => l.IsInSource), Arguments.ToArray<object>());

    /// <summary>The message in one line, with the diagnostic's id.</summary>
    public override string ToString()
        => Descriptor.Id + ": " + string.Format(CultureInfo.InvariantCulture, Descriptor.MessageFormat.ToString(CultureInfo.InvariantCulture), Arguments);
}
