namespace Postrider.Site;

/// <summary>A heading of a page.</summary>
/// <param name="Level">1 for the page's own.</param>
/// <param name="Anchor">The name behind <c>#</c>.</param>
/// <param name="Title">The text.</param>
public sealed record SiteSection(int Level, string Anchor, string Title);
