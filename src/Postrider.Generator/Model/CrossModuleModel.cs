using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>This project's middleware around a handler of a referenced project.</summary>
/// <param name="Hash">The hash of the message's name.</param>
/// <param name="Message">The message.</param>
/// <param name="Middleware">The middleware, outermost first.</param>
internal sealed record CrossModuleModel(uint Hash, ForeignMessageModel Message, EquatableArray<AppliedMiddleware> Middleware);
