using System.Linq;
using Postrider.Generators;

namespace Postrider.Rpc.Generator.Model;

/// <summary>Where a parameter of a routed operation is bound.</summary>
/// <param name="Place">A member of <c>HttpParameterSource</c>, or empty for the body.</param>
/// <param name="Name">Its name there.</param>
/// <param name="Type">Its type, of a list the items'.</param>
/// <param name="Text">The form of a value, in C#.</param>
/// <param name="List">How a list of it is read: <c>ReadArray</c>, <c>ReadList</c>, or empty for a value.</param>
/// <param name="IsRequired">Whether a request without it is rejected.</param>
/// <param name="Missing">The value if the parameter is missing, in C#.</param>
internal sealed record PlacedModel(string Place, string Name, string Type, string Text, string List, bool IsRequired, string Missing);

/// <summary>An operation's own path over HTTP.</summary>
/// <param name="Method">HTTP's method.</param>
/// <param name="Template">The path.</param>
/// <param name="Shape">The path without its parameters' names: a server cannot distinguish two routes with the same shape.</param>
/// <param name="Parameters">The message's parameters, in order.</param>
internal sealed record RouteModel(string Method, string Template, string Shape, EquatableArray<PlacedModel> Parameters)
{
    internal bool HasBody => Parameters.Any(p => p.Place.Length == 0);
}
