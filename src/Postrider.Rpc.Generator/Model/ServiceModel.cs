using Postrider.Generators;

namespace Postrider.Rpc.Generator.Model;

/// <summary>A contract.</summary>
/// <param name="Namespace">Its namespace, or empty.</param>
/// <param name="Interface">Its name with <c>global::</c>.</param>
/// <param name="Name">The prefix of the generated types' names.</param>
/// <param name="Accessibility">public or internal.</param>
/// <param name="WireName">The service's name.</param>
/// <param name="Version">Its version.</param>
/// <param name="XmlNamespace">Its namespace in XML, or empty for the usual one.</param>
/// <param name="IsWcf">It is declared by WCF's attributes.</param>
/// <param name="Operations">Its methods.</param>
/// <param name="IsDisposable">It derives from <c>IDisposable</c>.</param>
/// <param name="TellsFaults">Whether its client throws the WCF exceptions defined for this library.</param>
internal sealed record ServiceModel(
    string Namespace, string Interface, string Name, string Accessibility, string WireName, string Version, string XmlNamespace, bool IsWcf, EquatableArray<OperationModel> Operations, bool IsDisposable = false, bool TellsFaults = false);
