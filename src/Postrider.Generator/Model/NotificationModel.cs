namespace Postrider.Generator.Model;

/// <summary>A notification that can be published, for handlers that are open for any.</summary>
/// <param name="Type">The message; neither abstract nor generic.</param>
/// <param name="Strategy">Its publish strategy as a C# expression, or empty.</param>
internal sealed record NotificationModel(TypeModel Type, string Strategy);
