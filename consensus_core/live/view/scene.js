// What a page wants seen of the runs, where it is not everything: which pictures, from which place, what is hidden.

export class Scene {
  constructor(said = {}) {
    Object.assign(this, { key: "", show: [], hide: [], at: -1, until: null, pin: null }, said);
    this.tap ||= false;
    this.large ||= false;
    this.algorithm ||= [];
  }

  get some() { return this.show.length > 0; } // not everything
  hides(what) { return this.hide.includes(what); }

  // The place to begin with; null for the end.
  get begins() { return this.at < 0 ? null : this.until === null ? this.at : Math.min(this.at, this.until); }
}

export const EVERYTHING = new Scene();
