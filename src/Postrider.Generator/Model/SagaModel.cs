using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>One method of a saga.</summary>
/// <param name="Handler">The generated method that the pipeline calls.</param>
/// <param name="Role">Its role, as a member of <c>SagaRole</c>.</param>
/// <param name="Id">The expression of the saga's id, of a variable <c>message</c>; empty if only the settings can read it.</param>
/// <param name="Method">The saga's method.</param>
/// <param name="Arguments">Its arguments as expressions.</param>
/// <param name="Services">The types of the generated method's parameters after the fixed ones.</param>
/// <param name="Shape">How the method returns its result.</param>
internal sealed record SagaMethodModel(
    HandlerModel Handler, string Role, string Id, string Method, EquatableArray<string> Arguments, EquatableArray<string> Services, ResultShape Shape);

/// <summary>A saga.</summary>
/// <param name="Full">Its name.</param>
/// <param name="Generated">The name of the class that is generated for it.</param>
/// <param name="Methods">The methods that handle its messages.</param>
internal sealed record SagaModel(string Full, string Generated, EquatableArray<SagaMethodModel> Methods);
